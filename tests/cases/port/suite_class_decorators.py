class TestSort(TestCase):
    @onlyCUDA
    @dtypes(torch.float16)
    @largeTensorTest("6GB", "cuda")
    def test_sort_long_row(self, device, dtype):
        x = torch.arange(2**31 + 1, device=device, dtype=dtype)
        self.assertEqual(x.sort().values.cuda()[-1].cpu(), x.cpu().max())
# output
class TestSort(TestCase):
    @onlyXPU
    @dtypes(torch.float16)
    @largeTensorTest("6GB", "xpu")
    def test_sort_long_row(self, device, dtype):
        x = torch.arange(2**31 + 1, device=device, dtype=dtype)
        self.assertEqual(x.sort().values.to("xpu")[-1].cpu(), x.cpu().max())
