// rule: missing-check
// hit: 14: no dtype check as in fold_rows_cuda (upstream.cu:6): "fold_rows: rows must be whole numbers"
// hit: 14: no shape check as in fold_rows_cuda (upstream.cu:12): "fold_rows: weight has the wrong length"

void fold_rows_kernel(const Tensor& self, const Tensor& rows, Tensor& out) {
  TORCH_CHECK(
      self.dim() == 2, "fold_rows: two dimensions expected, got ", self.dim());
  out.zero_();
}

namespace at::native {

// The checks of what it calls are its own.
Tensor fold_rows_xpu(
    const Tensor& self, const Tensor& rows, const Tensor& weight) {
  fold_check_common(self);
  auto out = at::empty_like(self);
  fold_rows_kernel(self, rows, out);
  return out;
}

} // namespace at::native
// === upstream ===
__global__ void fold_rows_cuda_device(const float* in) {}

static void fold_rows_out_template(
    const Tensor& input, const Tensor& rows, const Tensor& weight) {
  TORCH_CHECK(input.dim() == 2, "fold_rows: two dimensions expected, got ", input.dim());
  TORCH_CHECK(
      rows.scalar_type() == kLong, "fold_rows: rows must be whole numbers");
  TORCH_INTERNAL_ASSERT(input.defined());
  AT_ASSERT(input.numel() > 0);
  TORCH_CHECK(input.numel() < std::numeric_limits<int>::max(), "too many for one launch");
  fold_check_common(input);
  TORCH_CHECK(
      weight.numel() == rows.numel(), "fold_rows: weight has the wrong length");
  fold_rows_cuda_device<<<1, 32, 0, stream>>>(input.data_ptr<float>());
}

Tensor fold_rows_cuda(
    const Tensor& self, const Tensor& rows, const Tensor& weight) {
  fold_rows_out_template(self, rows, weight);
  return self;
}
