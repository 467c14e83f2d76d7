// rule: narrow-accumulator
// hit: 10: target is kept in scalar_t and grows at line 17
// hit: 30: cached_ is kept in sycl_local_acc_t<scalar_t>

template <typename scalar_t>
struct ScatterBackFunctor {
  void operator()(sycl::nd_item<2> item) const {
    const auto plane = item.get_global_id(0);
    // what comes to a place is read from memory: it may come again
    scalar_t* target = grad_input_ + plane * area_;
    // a step from address to address is no sum
    const scalar_t* from = grad_output_ + plane * area_;
    // one element a round is none either
    scalar_t* copy = copy_ + plane * area_;
    for (int64_t i = 0; i < count_; i++) {
      const int64_t where = index_[i];
      target[where] += *from;
      copy[i] += *from;
      from += step_;
    }
    for (int64_t row = 0; row < rows_; row++) {
      int at = item.get_local_id(1);
      for (int64_t c = 0; c < columns_; c++) {
        cached_[at] += grad_output_[row * columns_ + c];
        at += 32;
      }
    }
  }
  scalar_t *grad_input_, *copy_;
  sycl_local_acc_t<scalar_t> cached_;
};
