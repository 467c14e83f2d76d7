// rule: narrow-accumulator

template <typename scalar_t>
inline scalar_t group_sum(sycl::sub_group sg, scalar_t input) {
  scalar_t value = input;
  for (int offset = 16; offset > 0; offset >>= 1) {
    value += sycl::shift_group_left(sg, value, offset);
  }
  scalar_t seen = 0;
  for (int i = 0; i < 32; i++) {
    seen += 1;
  }
  for (int i = 0; i < 4; i++) {
    scalar_t within = 0;
    within += value * 2;
  }
  return value;
}

void group_sum_kernel(const Tensor& x) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "s", [&] { group_sum<scalar_t>(sg, scalar_t(1)); });
}
