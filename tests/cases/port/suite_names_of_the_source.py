# leftover: 4: SM80OrLater
# leftover: 11: tf32_on_and_off
import torch
from torch.testing._internal.common_cuda import SM80OrLater, tf32_on_and_off
from torch.testing._internal.common_device_type import skipCUDAIfRocm, skipMPS


class TestMM(TestCase):
    @skipMPS
    @skipCUDAIfRocm
    @tf32_on_and_off(0.005)
    def test_mm(self, device):
        x = torch.eye(3, device=device)
        self.assertEqual(x.mm(x), x)
