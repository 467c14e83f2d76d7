@onlyCPU
@dtypes(torch.float64)
def test_pinv(self, device, dtype):
    x = torch.randn(4, 3, device=device, dtype=dtype)
    self.assertEqual(torch.linalg.pinv(x).mT, torch.linalg.pinv(x.mT))
