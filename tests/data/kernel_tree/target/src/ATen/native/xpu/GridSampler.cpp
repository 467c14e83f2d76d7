#include <ATen/core/Tensor.h>
#include <ATen/native/GridSamplerUtils.h>
#include <ATen/native/xpu/sycl/GridSampler.h>

namespace at::native {

Tensor grid_sampler_2d_xpu(const Tensor& input, const Tensor& grid) {
  auto output = at::empty({input.size(0), input.size(1)}, input.options());
  xpu::launch_sampler_kernel(output, input, grid);
  return output;
}

std::tuple<Tensor, Tensor> grid_sampler_2d_backward_xpu(
    const Tensor& grad_output,
    const Tensor& input,
    const Tensor& grid) {
  TORCH_CHECK(input.dim() == 4, "the sampler takes pictures in batches");
  auto grad_grid = at::zeros_like(grid);
  xpu::launch_sampler_backward_kernel(grad_grid, grad_output, input);
  return {Tensor(), grad_grid};
}

} // namespace at::native
