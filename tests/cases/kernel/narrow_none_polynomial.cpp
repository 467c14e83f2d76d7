// rule: narrow-accumulator

template <typename scalar_t>
inline scalar_t series(scalar_t x) {
  static const scalar_t c[] = {1, 0.5, 0.25};
  scalar_t value = c[0];
  for (int i = 1; i < 3; i++) {
    value = value * x + c[i];
  }
  scalar_t fused = c[0];
  for (int i = 1; i < 3; i++) {
    fused = sycl::fma(fused, x, c[i]);
  }
  scalar_t b0 = 0, b1 = 0, b2;
  for (int i = 0; i < 3; i++) {
    b2 = b1;
    b1 = b0;
    b0 = x * b1 - b2 + c[i];
  }
  return value + fused + b0;
}

void series_kernel(const Tensor& x) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "series", [&] { series<scalar_t>(scalar_t(1)); });
}
