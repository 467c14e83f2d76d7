import torch
from torch.testing._internal.common_device_type import dtypesIfCUDA, dtypes, instantiate_device_type_tests, onlyCUDA
from torch.testing._internal.common_utils import TestCase, run_tests


class TestRenorm(TestCase):
    @onlyCUDA
    @dtypes(torch.float32, torch.float64)
    @dtypesIfCUDA(torch.float16, torch.float32)
    def test_renorm_half(self, device, dtype):
        x = torch.full((3, 4), 100.0, device=device, dtype=dtype)
        out = torch.renorm(x, p=2, dim=0, maxnorm=1)
        self.assertEqual(out.norm(dim=1).cpu(), torch.ones(3, dtype=dtype), atol=1e-2, rtol=0)


instantiate_device_type_tests(TestRenorm, globals(), only_for="cuda")

if __name__ == "__main__":
    run_tests()
# output
import torch
from torch.testing._internal.common_device_type import dtypesIfXPU, dtypes, instantiate_device_type_tests, onlyXPU
from torch.testing._internal.common_utils import TestCase, run_tests


class TestRenorm(TestCase):
    @onlyXPU
    @dtypes(torch.float32, torch.float64)
    @dtypesIfXPU(torch.float16, torch.float32)
    def test_renorm_half(self, device, dtype):
        x = torch.full((3, 4), 100.0, device=device, dtype=dtype)
        out = torch.renorm(x, p=2, dim=0, maxnorm=1)
        self.assertEqual(out.norm(dim=1).cpu(), torch.ones(3, dtype=dtype), atol=1e-2, rtol=0)


instantiate_device_type_tests(TestRenorm, globals(), only_for="xpu", allow_xpu=True)

if __name__ == "__main__":
    run_tests()
