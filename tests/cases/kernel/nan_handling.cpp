// rule: nan-handling
// hit: 12: row_max_cuda (upstream.cu:9) asks _isnan where it compares, this one never does

template <typename scalar_t>
struct RowMaxFunctor {
  scalar_t operator()(scalar_t a, scalar_t b) const {
    return a > b ? a : b;
  }
};

// A comparison with NaN is false: the other operand wins.
Tensor row_max_xpu(const Tensor& self) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "row_max_xpu", [&] { reduce(self, RowMaxFunctor<scalar_t>()); });
  return self;
}
// === upstream ===
template <typename scalar_t>
struct RowMaxOps {
  __device__ scalar_t combine(scalar_t a, scalar_t b) const {
    return (at::_isnan(a) || a > b) ? a : b;
  }
};


Tensor row_max_cuda(const Tensor& self) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "row_max_cuda", [&] { reduce(self, RowMaxOps<scalar_t>()); });
  return self;
}
