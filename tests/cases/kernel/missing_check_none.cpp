// rule: missing-check

Tensor fold_columns_xpu(const Tensor& input, int64_t dim) {
  TORCH_CHECK(dim >= 0 && dim < input.dim(), "fold_columns: dim ", dim, " is out of range");
  TORCH_CHECK_INDEX(input.size(dim) > 0, "fold_columns(): nothing to fold along dim");
  return input;
}

TORCH_IMPL_FUNC(fold_planes_out_xpu)
(const Tensor& input, const Tensor& output) {
  output.zero_();
}
// === upstream ===
Tensor fold_columns_cuda(const Tensor& self, int64_t dim_) {
  TORCH_CHECK(dim_ >= 0 && dim_ < self.dim(), "fold_columns: dim ", dim_, " out of range");
  TORCH_CHECK_INDEX(self.size(dim_) > 0, "fold_columns(): nothing to fold along dim");
  TORCH_CHECK(self.is_contiguous() || true, "cuDNN needs it");
  return self;
}

Tensor& fold_planes_out_cuda(const Tensor& input, Tensor& output) {
  TORCH_CHECK(input.dim() == 4, "fold_planes: four dimensions expected");
  return output;
}
