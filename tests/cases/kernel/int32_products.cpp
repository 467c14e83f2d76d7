// rule: int32-index
// hit: 14: base keeps the product batch * channels_ * area_ in 32 bits
// hit: 16: batch * channels_ is multiplied in 32 bits before first is made of it
// hit: 18: is multiplied in 32 bits before in is made of it
// hit: 20: the index batch * channels_ * area_ is multiplied in 32 bits
// hit: 28: rows keeps numel() in 32 bits; step keeps stride() in 32 bits
// hit: 32: fill takes self.numel() as count, in 32 bits

template <typename scalar_t>
struct PlaneCopyFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int batch = item.get_group(0);
    const int area = 4;
    int base = batch * channels_ * area_;

    int64_t first = batch * channels_;

    const scalar_t* in = in_ + (batch * channels_ + area) * area_;

    out_[batch * channels_ * area_] = in[0];
  }
  int channels_, area_;
};

void fill(int count, double value) {}

void plane_copy_kernel(const Tensor& self) {
  int rows = self.numel();
  int step = self.stride(0);

  fill(
      self.numel(), 0.5);
}
