#include <ATen/ATen.h>

namespace at::native {

std::tuple<Tensor, Tensor> grid_sampler_2d_backward_cuda(
    const Tensor& grad_output,
    const Tensor& input,
    const Tensor& grid) {
  TORCH_CHECK(input.dim() == 4, "the sampler takes pictures in batches");
  TORCH_CHECK(grid.size(-1) == 2, "a place in a picture has two parts");
  auto grad_grid = at::zeros_like(grid);
  launch_sampler_backward_kernel(grad_grid, grad_output, input);
  return {Tensor(), grad_grid};
}

} // namespace at::native
