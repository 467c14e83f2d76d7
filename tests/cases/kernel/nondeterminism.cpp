// rule: nondeterminism-unflagged
// hit: 18: fold_back_cuda (upstream.cu:1) calls alertNotDeterministic, this one does not and comes to atomicAdd

template <typename scalar_t>
struct FoldBackAtomicFunctor {
  void operator()(sycl::nd_item<1> item) const {
    atomicAdd((sycl_global_ptr<scalar_t>)(out_ + index_[item.get_global_linear_id()]), grad_[0]);
  }
};

void fold_back_kernel(const Tensor& grad, Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "fold_back_xpu", [&] {
    auto kfn = FoldBackAtomicFunctor<scalar_t>(grad, out);
    sycl_kernel_submit(grad.numel(), queue, kfn);
  });
}

Tensor fold_back_xpu(const Tensor& grad) {
  auto out = at::zeros_like(grad);
  fold_back_kernel(grad, out);
  return out;
}
// === upstream ===
Tensor fold_back_cuda(const Tensor& grad) {
  globalContext().alertNotDeterministic("fold_back_cuda");
  return grad;
}
