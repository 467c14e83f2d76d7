// rule: empty-input

Tensor spread_asked_xpu(const Tensor& self) {
  int64_t count = self.numel();
  if (count > 0) {
    sycl_kernel_submit(count, queue, SpreadFunctor<float>(self));
  }
  return self;
}

Tensor spread_by_others_xpu(const Tensor& self) {
  return self.mul(2);
}
// === upstream ===
Tensor spread_asked_cuda(const Tensor& self) {
  if (self.numel() == 0) {
    return self;
  }
  return self;
}

Tensor spread_by_others_cuda(const Tensor& self) {
  if (self.numel() == 0) return self;
  return self;
}
