# leftover: 10: compared with: cuda
import torch
from torch.testing._internal.common_utils import TestCase


class TestRepr(TestCase):
    def test_repr(self):
        x = torch.ones(1)
        self.assertExpectedInline(repr(x), """tensor([1.])""")
        with self.assertRaisesRegex(RuntimeError, "expected a cuda tensor, got cpu"):
            raise RuntimeError("expected a cuda tensor, got cpu")
        print(repr(x) == "tensor([1.], device='cuda:0')", x)
# output
import torch
from torch.testing._internal.common_utils import TestCase


class TestRepr(TestCase):
    def test_repr(self):
        x = torch.ones(1)
        self.assertExpectedInline(repr(x), """tensor([1.])""")
        with self.assertRaisesRegex(RuntimeError, "expected a cuda tensor, got cpu"):
            raise RuntimeError("expected a cuda tensor, got cpu")
        print(repr(x) == "tensor([1.], device='xpu:0')", x)
