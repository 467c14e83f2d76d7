// rule: missing-check
// hit: 8: no shape check as in unmix_gpu (upstream.cu:2): "unmix: out must be contiguous"
// hit: 8: no shape check as in unmix_gpu (upstream.cu:5): "unmix: more places than rows"

namespace at::native {

// The counterpart has another word for the device in its name; rows are written by their plain address.
Tensor unmix_xpu(const Tensor& input, const Tensor& places, Tensor& out) {
  auto in = input.contiguous();
  sycl_kernel_submit(in.numel(), queue, UnmixFunctor<float>(in, places, out));
  return out;
}

} // namespace at::native
// === upstream ===
Tensor unmix_gpu(const Tensor& input, const Tensor& places, Tensor& out) {
  TORCH_CHECK(out.is_contiguous(), "unmix: out must be contiguous");
  TORCH_CHECK(input.is_contiguous());
#ifndef USE_ROCM
  TORCH_CHECK(places.numel() <= input.size(0), "unmix: more places than rows");
#else
  TORCH_CHECK(places.numel() <= 1024, "unmix: too many places");
#endif
  return out;
}
