import unittest

import pytest
import torch

TEST_CUDA = torch.cuda.is_available()
needs_gpu = pytest.mark.skipif(not TEST_CUDA, reason="no cuda")


@unittest.skipIf(not torch.cuda.is_available(), "no CUDA")
class TestNorm(unittest.TestCase):
    def setUp(self):
        if not torch.cuda.is_available():
            self.skipTest("cuda is missing")

    @unittest.skipUnless(TEST_CUDA, "cuda only")
    def test_norm(self):
        self.assertEqual(torch.ones(4).cuda().norm().item(), 2.0)

    @needs_gpu
    @pytest.mark.skipif("not torch.cuda.is_available()")
    def test_sum(self):
        self.assertEqual(torch.ones(4, device="cuda").sum().item(), 4.0)
# output
import unittest

import pytest
import torch

TEST_CUDA = torch.xpu.is_available()
needs_gpu = pytest.mark.skipif(not TEST_CUDA, reason="no cuda")


@unittest.skipIf(not torch.xpu.is_available(), "no CUDA")
class TestNorm(unittest.TestCase):
    def setUp(self):
        if not torch.xpu.is_available():
            self.skipTest("cuda is missing")

    @unittest.skipUnless(TEST_CUDA, "cuda only")
    def test_norm(self):
        self.assertEqual(torch.ones(4).to("xpu").norm().item(), 2.0)

    @needs_gpu
    @pytest.mark.skipif("not torch.xpu.is_available()")
    def test_sum(self):
        self.assertEqual(torch.ones(4, device="xpu").sum().item(), 4.0)
