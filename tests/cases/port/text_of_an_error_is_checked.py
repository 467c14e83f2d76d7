# leftover: 20: compared with: CUDA
# leftover: 23: compared with: CUDA
# leftover: 26: compared with: CUDA
# leftover: 30: compared with: cublas
# leftover: 31: compared with: cuDNN
# leftover: 34: compared with: CUDA
# leftover: 36: compared with: HIP
# leftover: 37: compared with: CUDA
import re
import unittest

import pytest
import torch

text = str(torch.ones(1))


class Words(unittest.TestCase):
    def test_words(self):
        with self.assertRaisesRegex(RuntimeError, "CUDA error"):
            raise RuntimeError("CUDA error: of its own")
        self.assertEqual(1, 1, "on CUDA this was 2")
        self.assertIn("CUDA error", text)


WANTED = ("CUDA error", "cpu")
print("CUDA error", text)
if any(word in text for word in WANTED):
    pass
PATTERN = re.compile(r"cublas\w+ failed")
if PATTERN.search(text) or "cuDNN" + " error" == text:
    assert text, "CUDA did not fail"
with pytest.raises(RuntimeError):
    if text.startswith(f"CUDA error {text}"):
        pass
    match = re.fullmatch("HIP error.*", text) or text == "hip" or text in ("cuda_fp16", "mips")
    assert text.lower() != "CUDA error".lower()
    raise RuntimeError("MPS")
