// rule: narrow-accumulator
// hit: 8: total is kept in scalar_t
// hit: 20: sum is kept in scalar_t

template <typename scalar_t>
struct FoldBackFunctor {
  void operator()(sycl::nd_item<1> item) const {
    scalar_t total = 0;
    auto take = [&](int64_t from) {
      if (from < size_) {
        total = total + grad_[from];
      }
    };
    for (int64_t row = 0; row < rows_; row++) {
      take(row * size_);
    }
    out_[0] = total;
  }
  scalar_t other(const scalar_t* values) const {
    scalar_t sum = scalar_t(0);
    each_vector(values, [&](scalar_t one) { sum += one; });
    return sum;
  }
};
