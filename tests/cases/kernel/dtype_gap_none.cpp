// rule: dtype-gap

void mix_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.dtype(), "mix_xpu", AT_WRAP([&]() {
    gpu_kernel(iter, MixFunctor<scalar_t>());
  }), AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}
REGISTER_XPU_DISPATCH(mix_stub, &xpu::mix_kernel);

void index_mix_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_INDEX_TYPES(iter.dtype(), "index_mix_xpu", [&]() { run<index_t>(iter); });
}
REGISTER_XPU_DISPATCH(index_mix_stub, &xpu::index_mix_kernel);
// === upstream ===
void mix_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "mix_cuda", [&]() {});
}
REGISTER_DISPATCH(mix_stub, &mix_kernel_cuda);
void index_mix_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES(iter.dtype(), "index_mix_cuda", [&]() {});
}
REGISTER_DISPATCH(index_mix_stub, &index_mix_kernel_cuda);
