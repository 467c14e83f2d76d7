// rule: uninitialised-output

// Elements are put together: every place of the output has one that is kept.
template <typename scalar_t>
struct PackFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t at = item.get_global_id(0);
    if (mask_[at]) {
      out_[places_[at]] = in_[at];
    }
  }
  PackFunctor(scalar_t* out, const scalar_t* in, const bool* mask, const int64_t* places)
      : out_(out), in_(in), mask_(mask), places_(places) {}
  scalar_t* out_;
  const scalar_t* in_;
  const bool* mask_;
  const int64_t* places_;
};

Tensor pack_kernel(const Tensor& in, const Tensor& mask, const Tensor& places, int64_t kept) {
  auto out = at::empty({kept}, in.options());
  PackFunctor<float> kfn(out.data_ptr<float>(), in.data_ptr<float>(), mask.data_ptr<bool>(), places.data_ptr<int64_t>());
  sycl_kernel_submit(in.numel(), queue, kfn);
  return out;
}

// A first kernel writes all of it, a second one adds.
template <typename scalar_t>
struct AddFunctor {
  void operator()(sycl::nd_item<1> item) const {
    out_[item.get_global_id(0)] += in_[item.get_global_id(0)];
  }
  AddFunctor(scalar_t* out, const scalar_t* in) : out_(out), in_(in) {}
  scalar_t* out_;
  const scalar_t* in_;
};

Tensor twice_kernel(const Tensor& in) {
  auto out = at::empty_like(in);
  launch_copy_kernel(out, in);
  AddFunctor<float> kfn(out.data_ptr<float>(), in.data_ptr<float>());
  sycl_kernel_submit(in.numel(), queue, kfn);
  return out;
}
