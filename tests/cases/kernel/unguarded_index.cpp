// rule: unguarded-index
// hit: 16: rows_index_[at] of rows_index_, read at line 12, addresses memory and is never compared with its length
// hit: 17: labels[at] of labels, read at line 17, addresses memory and is never compared with its length
// hit: 34: the number of a thread, read at line 33, addresses memory and is never compared with the count

template <typename scalar_t>
struct PickRowsFunctor {
  // Wrapping a negative one around leaves the upper end open, and skipping one value leaves all others.
  void operator()(sycl::nd_item<1> item) const {
    const int64_t* labels = labels_;
    for (int64_t at = item.get_global_id(0); at < count_; at += item.get_global_range(0)) {
      int64_t row = static_cast<int64_t>(rows_index_[at]);
      if (row < 0) row += rows_;
      if (row == ignored_) continue;
      const int64_t start = row * columns_;
      out_[at] = in_[start];
      out_[at] += weight_[labels[at]];
    }
  }
  scalar_t* out_;
  const scalar_t* in_;
  const scalar_t* weight_;
  const int64_t* rows_index_;
  const int64_t* labels_;
  int64_t rows_, columns_, count_, ignored_;
};

template <typename scalar_t>
struct ScaleFunctor {
  // As many threads as fill the last group.
  void operator()(sycl::nd_item<1> item) const {

    auto number = item.get_global_linear_id();
    out_[number] = in_[number] * factor_;
  }
  scalar_t* out_;
  const scalar_t* in_;
  float factor_;
};

void scale_kernel(const Tensor& in, Tensor& out) {
  int64_t groups = ceil_div(in.numel(), int64_t(256));
  ScaleFunctor<float> kfn{out.data_ptr<float>(), in.data_ptr<float>(), 2.f};
  sycl_kernel_submit(groups * 256, 256, queue, kfn);
}
