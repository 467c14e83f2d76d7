// rule: narrow-accumulator
// hit: 16: du and dv are kept in scalar_t and grow at line 19, in the loop at line 17
// right: 29

template <typename scalar_t, typename index_t>
struct WarpGradFunctor {
  using opmath_t = at::opmath_type<scalar_t>;

  void operator()(sycl::nd_item<1> item) const {
    const index_t point = item.get_global_linear_id();
    if (point >= points_) {
      return;
    }
    const scalar_t* grad = grad_ + point;
    const scalar_t* value = value_;
    scalar_t du = static_cast<scalar_t>(0), dv = static_cast<scalar_t>(0);
    for (index_t c = 0; c < channels_; ++c, grad += step_, value += step_) {
      const scalar_t g = *grad;
      du += value[1] * g;
      dv -= value[0] * g;
    }
    out_[2 * point] = scale_ * du;
    out_[2 * point + 1] = scale_ * dv;
  }
};

template <typename scalar_t>
scalar_t row_norm(const scalar_t* row, int64_t length) {
  at::opmath_type<scalar_t> sum = 0;
  for (int64_t i = 0; i < length; i++) {
    sum += row[i] * row[i];
  }
  return static_cast<scalar_t>(sum);
}

void warp_grad_kernel(const Tensor& grad, Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, grad.scalar_type(), "warp_grad_xpu", [&] {
        auto kfn = WarpGradFunctor<scalar_t, int64_t>(grad, out);
        sycl_kernel_submit(out.numel(), queue, kfn);
        row_norm<scalar_t>(grad.const_data_ptr<scalar_t>(), grad.numel());
      });
}
