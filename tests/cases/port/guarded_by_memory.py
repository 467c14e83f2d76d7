import unittest

import torch

HAS_GPU = torch.cuda.is_available()


class TestScatter(unittest.TestCase):
    @unittest.skipIf(not torch.cuda.is_available(), "CUDA unavailable")
    def test_scatter_reduce(self):
        x = torch.zeros(4, device="cuda")
        index = torch.tensor([0, 0, 3]).cuda()
        out = x.scatter_reduce(0, index, torch.ones(3).cuda(), reduce="mean", include_self=False)
        self.assertEqual(out.tolist(), [1.0, 0.0, 0.0, 1.0])

    @unittest.skipUnless(HAS_GPU, "needs a GPU")
    def test_where(self):
        x = torch.ones(3, device="cuda")
        self.assertTrue(x.is_cuda)


if __name__ == "__main__":
    unittest.main()
# output
import unittest

import torch

HAS_GPU = torch.xpu.is_available()


class TestScatter(unittest.TestCase):
    @unittest.skipIf(not torch.xpu.is_available(), "CUDA unavailable")
    def test_scatter_reduce(self):
        x = torch.zeros(4, device="xpu")
        index = torch.tensor([0, 0, 3]).to("xpu")
        out = x.scatter_reduce(0, index, torch.ones(3).to("xpu"), reduce="mean", include_self=False)
        self.assertEqual(out.tolist(), [1.0, 0.0, 0.0, 1.0])

    @unittest.skipUnless(HAS_GPU, "needs a GPU")
    def test_where(self):
        x = torch.ones(3, device="xpu")
        self.assertTrue(x.is_xpu)


if __name__ == "__main__":
    unittest.main()
