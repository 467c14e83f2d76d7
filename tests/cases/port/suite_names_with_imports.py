import unittest

import torch
from torch.testing._internal.common_cuda import TEST_CUDA
from torch.testing._internal.common_device_type import dtypesIfCUDA, dtypes, onlyCUDA, largeTensorTest, expectedFailureCUDA
from torch.testing._internal.common_utils import TestCase


@unittest.skipIf(not TEST_CUDA, "no CUDA")
class TestTriu(TestCase):
    @onlyCUDA
    @dtypes(torch.float32)
    @dtypesIfCUDA(torch.float16)
    @largeTensorTest("8GB", "cuda")
    def test_triu(self, device, dtype):
        self.assertTrue(torch.ones(2, 2, device=device, dtype=dtype).triu().is_cuda)

    @expectedFailureCUDA
    def test_fails(self, device):
        raise AssertionError(device)
# output
import unittest

import torch
from torch.testing._internal.common_utils import TEST_XPU
from torch.testing._internal.common_device_type import dtypesIfXPU, dtypes, onlyXPU, largeTensorTest, expectedFailureXPU
from torch.testing._internal.common_utils import TestCase


@unittest.skipIf(not TEST_XPU, "no CUDA")
class TestTriu(TestCase):
    @onlyXPU
    @dtypes(torch.float32)
    @dtypesIfXPU(torch.float16)
    @largeTensorTest("8GB", "xpu")
    def test_triu(self, device, dtype):
        self.assertTrue(torch.ones(2, 2, device=device, dtype=dtype).triu().is_xpu)

    @expectedFailureXPU
    def test_fails(self, device):
        raise AssertionError(device)
