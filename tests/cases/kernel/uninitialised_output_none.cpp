// rule: uninitialised-output

template <typename scalar_t>
struct SpreadBackwardFunctor {
  void operator()(sycl::nd_item<1> item) const {
    atomicAdd(grad_ + item.get_group(0), grad_out_[item.get_global_id(0)]);
  }
  SpreadBackwardFunctor(scalar_t* grad, const scalar_t* grad_out) : grad_(grad), grad_out_(grad_out) {}
  scalar_t* grad_;
  const scalar_t* grad_out_;
};

Tensor spread_backward_kernel(const Tensor& grad_out) {
  auto filled = at::empty_like(grad_out);
  filled.zero_();
  SpreadBackwardFunctor<float> first(filled.mutable_data_ptr<float>(), grad_out.const_data_ptr<float>());
  auto zeros = at::zeros_like(grad_out);
  SpreadBackwardFunctor<float> second(zeros.mutable_data_ptr<float>(), grad_out.const_data_ptr<float>());
  return filled + zeros;
}

// Both branches write, and a bound is no question for the data.
template <typename scalar_t>
struct PickFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t at = item.get_global_id(0);
    if (at < count_) {
      bool keeps = mask_[at];
      if (keeps) {
        out_[at] = in_[at];
      } else {
        out_[at] = 0;
      }
    }
  }
  PickFunctor(scalar_t* out, const scalar_t* in, const bool* mask, int64_t count)
      : out_(out), in_(in), mask_(mask), count_(count) {}
  scalar_t* out_;
  const scalar_t* in_;
  const bool* mask_;
  int64_t count_;
};

Tensor pick_kernel(const Tensor& in, const Tensor& mask) {
  auto out = at::empty_like(in);
  if (in.numel() == 0) {
    return out;
  }
  auto kfn = PickFunctor<float>(
      out.mutable_data_ptr<float>(), in.const_data_ptr<float>(), mask.const_data_ptr<bool>(), in.numel());
  sycl_kernel_submit(in.numel(), queue, kfn);
  return out;
}

// The shape is made of what is asked; nothing is allocated where there are no elements; it is filled before it returns.
Tensor rows_kernel(const Tensor& in, const Tensor& weight) {
  int64_t rows = in.size(0);
  auto out = at::empty({rows, 4}, in.options());
  auto none = at::empty({0}, in.options());
  auto grad = at::empty_like(weight);
  if (in.numel() == 0) {
    grad.zero_();
    return out + none + grad;
  }
  return out;
}
