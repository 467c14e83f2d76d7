// rule: empty-input
// hit: 4: spread_cuda (upstream.cu:1) asks for empty input, this one launches its kernel unasked

Tensor spread_xpu(const Tensor& self) {
  auto out = at::empty_like(self);
  auto kfn = SpreadFunctor<float>(self, out);
  sycl_kernel_submit(self.numel(), at::xpu::getCurrentSYCLQueue(), kfn);
  return out;
}
// === upstream ===
Tensor spread_cuda(const Tensor& self) {
  auto out = at::empty_like(self);
  if (self.numel() == 0) {
    return out;
  }
  spread_device<<<blocks, threads, 0, stream>>>(self.data_ptr<float>());
  return out;
}
