// rule: uninitialised-output
// hit: 10: the kernel adds into grad_, which comes unfilled as grad of launch_spread_backward at line 24
// hit: 32: the kernel writes only where its data say so out_, which is allocated unfilled as out of keep_kernel at line 49
// hit: 59: weight_grad is returned as it was allocated at line 57 where (input.numel() == 0)

template <typename scalar_t>
struct SpreadBackwardFunctor {
  void operator()(sycl::nd_item<1> item) const {
    auto place = grad_ + item.get_group(0) * columns_;
    atomicAdd(place + item.get_local_id(0), grad_out_[item.get_global_id(0)]);
  }
  SpreadBackwardFunctor(scalar_t* grad, const scalar_t* grad_out, int64_t columns)
      : grad_(grad), grad_out_(grad_out), columns_(columns) {}

 private:
  scalar_t* grad_;
  const scalar_t* grad_out_;
  int64_t columns_;
};

// Handed on by two functions, and written like the declaration of a function.
template <typename scalar_t>
void launch_spread_backward(scalar_t* grad, const scalar_t* grad_out, int64_t columns) {
  SpreadBackwardFunctor<scalar_t> kfn(grad, grad_out, columns);
  sycl_kernel_submit(columns, queue, kfn);
}

template <typename scalar_t>
struct KeepFunctor {
  void operator()(sycl::nd_item<1> item) const {
    for (int64_t at = item.get_global_id(0); at < count_; at += 256) {
      if (mask_[at]) out_[at] = in_[at];
    }
  }
  KeepFunctor(scalar_t* out, const scalar_t* in, const bool* mask, int64_t count)
      : out_(out), in_(in), mask_(mask), count_(count) {}

 private:
  scalar_t* out_;
  const scalar_t* in_;
  const bool* mask_;
  int64_t count_;
};

Tensor keep_kernel(const Tensor& in, const Tensor& mask) {
  auto grad = at::empty_like(in);
  launch_spread_backward<float>(grad.mutable_data_ptr<float>(), in.const_data_ptr<float>(), in.size(1));
  Tensor out = at::empty(in.sizes(), in.options());
  auto kfn = KeepFunctor<float>(
      out.mutable_data_ptr<float>(), in.const_data_ptr<float>(), mask.const_data_ptr<bool>(), in.numel());
  sycl_kernel_submit(in.numel(), queue, kfn);
  return out + grad;
}

// No row of input says nothing of how many weights there are.
Tensor weights_backward_kernel(const Tensor& input, const Tensor& weight) {
  auto weight_grad = at::empty_like(weight);
  if (input.numel() == 0) {
    return weight_grad;
  }
  sycl_kernel_submit(weight.numel(), queue, WeightsFunctor<float>(weight_grad, input));
  return weight_grad;
}
