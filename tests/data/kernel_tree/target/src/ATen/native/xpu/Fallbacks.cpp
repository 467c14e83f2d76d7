namespace at {
TORCH_LIBRARY_IMPL(aten, XPU, m) {
  std::vector<std::string> fallback_list = {
      "linalg_eig",
      "ormqr.out",
  };
  for (auto& name : fallback_list) {
    m.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&on_the_cpu>());
  }
}
TORCH_LIBRARY_IMPL(quantized, XPU, m) {
  m.impl(TORCH_SELECTIVE_NAME("quantized::max_pool2d"), TORCH_FN(pool_of_quantized));
}
} // namespace at
