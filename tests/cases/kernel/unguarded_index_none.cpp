// rule: unguarded-index

template <typename scalar_t>
struct TakeFunctor {
  void operator()(sycl::nd_item<1> item) const {
    auto number = item.get_global_linear_id();
    if (number >= count_) {
      return;
    }
    int64_t asserted = index_[number];
    SYCL_KERNEL_ASSERT(asserted >= 0 && asserted < rows_);
    out_[number] = in_[asserted];
    int64_t asked = target_[number];
    int64_t place = asked * columns_;
    if (place < size_) {
      out_[number] += in_[place];
    }
    int64_t wrapped = labels_[number] % rows_;
    out_[number] += in_[wrapped];
    out_[number] += in_[sycl::min(offsets_[number], rows_)];
  }
  scalar_t* out_;
  const scalar_t* in_;
  const int64_t* index_;
  const int64_t* target_;
  const int64_t* labels_;
  const int64_t* offsets_;
  int64_t rows_, columns_, size_, count_;
};

// Where something stood before the sort is no one's word from outside.
template <typename scalar_t>
struct GatherSortedFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int64_t from = indices_[item.get_group(0)];
    out_[sorted_[item.get_group(0)]] = in_[from];
  }
  scalar_t* out_;
  const scalar_t* in_;
  const int64_t* sorted_;
  const int64_t* indices_;
};

// A small array of the kernel's own, and a floating offset, tell no place.
template <typename scalar_t>
struct ShiftFunctor {
  void operator()(sycl::nd_item<1> item) const {
    int index[2] = {0, 1};
    out_[index[0]] = in_[index[1]] + offset_[0];
  }
  scalar_t* out_;
  const scalar_t* in_;
  const float* offset_;
};

// Every thread has an element of its own: nothing is rounded.
template <typename scalar_t>
struct FillFunctor {
  void operator()(sycl::item<1> item) const {
    auto number = item.get_global_linear_id();
    out_[number] = 1;
  }
  scalar_t* out_;
};

void fill_kernel(Tensor& out) {
  FillFunctor<float> kfn{out.data_ptr<float>()};
  sycl_kernel_submit(out.numel(), queue, kfn);
}
