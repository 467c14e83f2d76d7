import torch
from torch.testing import make_tensor
from torch.testing._internal.common_device_type import (
    deviceCountAtLeast, dtypes, instantiate_device_type_tests, largeTensorTest, onlyNativeDeviceTypes,
)
from torch.testing._internal.common_utils import TestCase, run_tests


class TestFlip(TestCase):
    @onlyNativeDeviceTypes
    @dtypes(torch.int8, torch.bool)
    @largeTensorTest("4GB")
    def test_flip(self, device, dtype):
        x = make_tensor((3, 5), device=device, dtype=dtype)
        self.assertEqual(x.flip(0).flip(0), x)


instantiate_device_type_tests(TestFlip, globals())

if __name__ == "__main__":
    run_tests()
# output
import torch
from torch.testing import make_tensor
from torch.testing._internal.common_device_type import (
    deviceCountAtLeast, dtypes, instantiate_device_type_tests, largeTensorTest, onlyNativeDeviceTypes,
)
from torch.testing._internal.common_utils import TestCase, run_tests


class TestFlip(TestCase):
    @onlyNativeDeviceTypes
    @dtypes(torch.int8, torch.bool)
    @largeTensorTest("4GB")
    def test_flip(self, device, dtype):
        x = make_tensor((3, 5), device=device, dtype=dtype)
        self.assertEqual(x.flip(0).flip(0), x)


instantiate_device_type_tests(TestFlip, globals(), allow_xpu=True)

if __name__ == "__main__":
    run_tests()
