// rule: nondeterminism-unflagged

Tensor fold_told_xpu(const Tensor& grad) {
  at::globalContext().alertNotDeterministic("fold_told_xpu");
  atomicAdd(grad.data_ptr<float>(), 1.0f);
  return grad;
}

Tensor fold_ordered_xpu(const Tensor& grad) {
  return grad.sum(0);
}

Tensor fold_either_way_xpu(const Tensor& grad) {
  if (globalContext().deterministicAlgorithms()) {
    return grad.sum(0);
  }
  atomicAdd(grad.data_ptr<float>(), 1.0f);
  return grad;
}
// === upstream ===
Tensor fold_told_cuda(const Tensor& grad) { globalContext().alertNotDeterministic("a"); return grad; }
Tensor fold_ordered_cuda(const Tensor& grad) { globalContext().alertNotDeterministic("b"); return grad; }
Tensor fold_either_way_cuda(const Tensor& grad) { globalContext().alertNotDeterministic("c"); return grad; }
