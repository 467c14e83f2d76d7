// rule: narrow-accumulator
// right: 8
// right: 23

template <typename T, typename acc_t>
struct RowMeanFunctor {
  void operator()(sycl::nd_item<1> item) const {
    acc_t sum = 0;
    for (int64_t i = 0; i < n_; i++) {
      sum += static_cast<acc_t>(in_[i]);
    }
    out_[0] = static_cast<T>(sum / n_);
    T largest = in_[0], last = in_[0];
    for (int64_t i = 0; i < n_; i++) {
      largest = std::max(largest, in_[i]);
      last = in_[i];
    }
  }
};

template <typename scalar_t>
scalar_t dot(const scalar_t* a, const scalar_t* b, int64_t n) {
  acc_type_device<scalar_t, kXPU> sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}
