// rule: int32-index

struct WindowFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int sub_groups = item.get_local_range(0) / simd_;
    int window = kernel_h_ * kernel_w_;
    int start = oh_ * stride_h_ - pad_h_;
    int pixel = h_ * width_ + w_;
    int64_t whole = batch_ * channels_ * height_;
    int rounds = (numel_ + 255) / 256;
    int back = numel_ % 256;
    for (int i = 0; i < 4; i++) {
      tile_[i * tile_size_ + sub_groups] = 0;
    }
  }
  int kernel_h_, kernel_w_, simd_, oh_, stride_h_, pad_h_, h_, w_, width_, tile_size_;
  int64_t batch_, channels_, height_, numel_;
};
