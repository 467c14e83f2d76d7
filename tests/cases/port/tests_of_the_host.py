import unittest

import torch
from torch.testing._internal.common_utils import IS_WINDOWS, TestCase, parametrize, run_tests


class TestDiff(TestCase):
    @unittest.skipIf(IS_WINDOWS, "not there, nor on CUDA")
    @parametrize("n", [1, 2])
    def test_diff(self, n):
        self.assertEqual(torch.diff(torch.arange(5), n=n).numel(), 5 - n)


if __name__ == "__main__":
    run_tests()
