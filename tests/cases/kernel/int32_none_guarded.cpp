// rule: int32-index

template <typename index_t>
struct PlaneSumFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int offset = batch_ * channels_ * plane_;
    index_t wide = batch_ * channels_ * plane_;
  }
  int batch_, channels_, plane_;
};

void plane_sum_kernel(const Tensor& self) {
  if (canUse32BitIndexMath(self)) {
    int elements = self.numel();
    auto kfn = PlaneSumFunctor<int>(elements);
  }
}
