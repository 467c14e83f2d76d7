#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/xpu/sycl/GridSampler.h>

namespace at::native::xpu {

template <typename scalar_t>
struct SamplerForwardFunctor {
  void operator()(sycl::nd_item<1> item) const {
    using wide_t = at::opmath_type<scalar_t>;
    int64_t place = item.get_global_linear_id();
    if (place >= count_) {
      return;
    }
    wide_t value = 0;
    for (int64_t channel = 0; channel < channels_; ++channel) {
      value += input_[channel * count_ + place];
    }
    output_[place] = value;
  }
  int64_t count_;
  int64_t channels_;
  const scalar_t* input_;
  scalar_t* output_;
};

template <typename scalar_t>
struct SamplerBackwardFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t place = item.get_global_linear_id();
    if (place >= count_) {
      return;
    }
    scalar_t across = static_cast<scalar_t>(0);
    scalar_t down = static_cast<scalar_t>(0);
    for (int64_t channel = 0; channel < channels_; ++channel) {
      across += grad_[channel * count_ + place] * left_;
      down += grad_[channel * count_ + place] * below_;
    }
    grad_grid_[2 * place] = across;
    grad_grid_[2 * place + 1] = down;
  }
  int64_t count_;
  int64_t channels_;
  const scalar_t* grad_;
  scalar_t* grad_grid_;
  scalar_t left_, below_;
};

template <typename scalar_t>
struct SamplerCubicBackwardFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t place = item.get_global_linear_id();
    if (place >= count_) {
      return;
    }
    scalar_t across = 0;
    for (int64_t tap = 0; tap < channels_ * 16; ++tap) {
      across -= grad_[tap * count_ + place];
    }
    grad_grid_[2 * place] = across;
  }
  int64_t count_;
  int64_t channels_;
  const scalar_t* grad_;
  scalar_t* grad_grid_;
};

void launch_sampler_kernel(const Tensor& output, const Tensor& input, const Tensor& grid) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "sampler", [&] {
    auto functor = SamplerForwardFunctor<scalar_t>{output.numel(), input.size(1)};
    sycl_kernel_submit(output.numel(), 256, getCurrentSYCLQueue(), functor);
  });
}

void launch_sampler_backward_kernel(const Tensor& grad_grid, const Tensor& grad, const Tensor& input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "sampler_backward", [&] {
    auto functor = SamplerBackwardFunctor<scalar_t>{grad_grid.numel() / 2, input.size(1)};
    sycl_kernel_submit(grad_grid.numel() / 2, 256, getCurrentSYCLQueue(), functor);
    auto cubic = SamplerCubicBackwardFunctor<scalar_t>{grad_grid.numel() / 2, input.size(1)};
    sycl_kernel_submit(grad_grid.numel() / 2, 256, getCurrentSYCLQueue(), cubic);
  });
}

} // namespace at::native::xpu
