// rule: missing-check

// What it makes contiguous needs no check for that, its layout has two dimensions where the other has four.
Tensor mix_blocks_xpu(const Tensor& input, const Tensor& packed, bool twice) {
  TORCH_CHECK(packed.dim() == 2, "mix_blocks: packed in two dimensions expected");
  auto in = input_arg.contiguous();
  auto out = at::empty_like(in);
  sycl_kernel_submit(in.numel(), queue, MixFunctor<float>(in, packed, out));
  return out;
}

// The whole work is an operator's, which checks sizes by itself.
Tensor mix_product_xpu(const Tensor& a, const Tensor& b) {
  return a.mm(b);
}

Tensor& mix_sum_out_xpu(const Tensor& a, const Tensor& b, Tensor& out) {
  at::mix_sum_out(out, a, b.to_dense());
  return out;
}
// === upstream ===
Tensor mix_blocks_cuda(const Tensor& input, const Tensor& packed, bool twice) {
  TORCH_CHECK(packed.dim() == 4, "mix_blocks: packed tiles expected");
  TORCH_CHECK(input_arg.is_contiguous());
  TORCH_CHECK(!twice, "mix_blocks does not support twice=true");
  auto status = gemm.initialize(packed);
  TORCH_CHECK(status == cutlass::Status::kSuccess, "the product could not be started");
  switch (input.suggest_memory_format()) {
    case at::MemoryFormat::ChannelsLast: {
      TORCH_CHECK(input.ndimension() == 4, "mix_blocks: four dimensions expected");
    }
  }
  if (twice || packed.size(0) > 1024) {
    TORCH_CHECK(input.size(1) % 2 == 0, "Only supports an even number of heads");
  }
#if defined(USE_ROCM)
  TORCH_CHECK(input.size(0) % 16 == 0, "mix_blocks: sixteen rows at a time");
#endif
  return input;
}

Tensor mix_product_cuda(const Tensor& a, const Tensor& b) {
  TORCH_CHECK(a.size(1) == b.size(0), "mix_product: sizes do not fit");
  return a;
}

void mix_sum_out_dense_sparse_cuda(const Tensor& a, const Tensor& b) {
  TORCH_CHECK(a.sizes().equals(b.sizes()), "mix_sum: sizes differ");
}

Tensor& mix_sum_out_cuda(const Tensor& a, const Tensor& b, Tensor& out) {
  mix_sum_out_dense_sparse_cuda(a, b);
  return out;
}
