// rule: narrow-accumulator
// The sums below are narrow by name only: whoever launches them says which types come.

template <typename scalar_t>
struct WholeSumFunctor {
  void operator()(sycl::nd_item<1> item) const {
    scalar_t sum = 0;
    for (int64_t i = 0; i < n_; i++) {
      sum += in_[i];
    }
  }
};

template <typename scalar_t>
struct DistanceFunctor {
  void operator()(sycl::nd_item<1> item) const {
    scalar_t agg = 0;
    for (int64_t i = 0; i < n_; i++) {
      agg += in_[i] * in_[i];
    }
  }
};

template <typename scalar_t>
scalar_t helper_sum(const scalar_t x) {
  scalar_t term = 1, sum = 1;
  for (int i = 0; i < 99; i++) {
    term *= x / i;
    sum += term;
  }
  return sum;
}

void launch(const Tensor& self) {
  AT_DISPATCH_INTEGRAL_TYPES(self.scalar_type(), "whole", [&] {
    auto kfn = WholeSumFunctor<scalar_t>(self);
    scalar_t here = 0;
    for (int i = 0; i < 4; i++) {
      here += i * 2;
    }
  });
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "distance", [&] {
    sycl_kernel_submit(range, queue, DistanceFunctor<scalar_t>{self});
  });
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "helper", [&] {
    using accscalar_t = acc_type_device<scalar_t, kXPU>;
    helper_sum<accscalar_t>(static_cast<accscalar_t>(1));
  });
}
