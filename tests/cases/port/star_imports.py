from torch import *
from torch.nn import *
from torch.nn.functional import *
from torch.testing._internal.common_utils import *
from torch.testing._internal.common_device_type import *


class TestPool(TestCase):
    @onlyCUDA
    @dtypes(float16)
    @skipCUDAIf(True, "slow")
    @skipCUDAIfNoMagma
    def test_pool(self, device, dtype):
        self.assertEqual(max_pool1d(ones(1, 4, device=device, dtype=dtype), 2).sum(), ones(1).cuda().sum() * 2)


instantiate_device_type_tests(TestPool, globals(), only_for=("cuda",))
# output
from torch import *
from torch.nn import *
from torch.nn.functional import *
from torch.testing._internal.common_utils import *
from torch.testing._internal.common_device_type import *


class TestPool(TestCase):
    @onlyXPU
    @dtypes(float16)
    @skipXPUIf(True, "slow")
    @skipCUDAIfNoMagma
    def test_pool(self, device, dtype):
        self.assertEqual(max_pool1d(ones(1, 4, device=device, dtype=dtype), 2).sum(), ones(1).to("xpu").sum() * 2)


instantiate_device_type_tests(TestPool, globals(), only_for=("xpu",), allow_xpu=True)
