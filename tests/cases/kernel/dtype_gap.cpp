// rule: dtype-gap
// hit: 4: BFloat16, Bool missing from the dispatch; blend_kernel_cuda (upstream.cu:1) has it

void blend_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND(at::ScalarType::Half, iter.dtype(), "blend_xpu", [&]() {
    gpu_kernel(iter, BlendFunctor<scalar_t>());
  });
}
REGISTER_XPU_DISPATCH(blend_stub, &xpu::blend_kernel);
// === upstream ===
void blend_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kHalf, kBFloat16, kBool, iter.dtype(), "blend_cuda", [&]() {
    gpu_kernel(iter, BlendFunctor<scalar_t>());
  });
}
REGISTER_DISPATCH(blend_stub, &blend_kernel_cuda);
