// rule: unguarded-index

template <typename scalar_t>
struct RowSumFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t row = index_[item.get_group(0)];
    out_[0] += in_[row];
  }
  scalar_t* out_;
  const scalar_t* in_;
  const int64_t* index_;
};

void row_sum_kernel(const Tensor& in, const Tensor& index, Tensor& out) {
  TORCH_CHECK_INDEX(index.max().item<int64_t>() < in.size(0), "row_sum: index out of range");
  RowSumFunctor<float> kfn{out.data_ptr<float>(), in.data_ptr<float>(), index.data_ptr<int64_t>()};
  sycl_kernel_submit(index.numel(), queue, kfn);
}
