// rule: nan-handling

Tensor column_max_xpu(const Tensor& self) {
  return reduce(self, [](float a, float b) { return at::_isnan(a) ? a : sycl::fmax(a, b); });
}

Tensor column_sum_xpu(const Tensor& self) {
  return reduce(self, [](float a, float b) { return a + b; });
}
// === upstream ===
Tensor column_max_cuda(const Tensor& self) {
  return reduce(self, [](float a, float b) { return at::_isnan(a) ? a : fmaxf(a, b); });
}
Tensor column_sum_cuda(const Tensor& self) {
  return reduce(self, [](float a, float b) { return at::_isnan(a) ? a : a + b; });
}
