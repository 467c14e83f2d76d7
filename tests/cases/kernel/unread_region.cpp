// rule: narrow-accumulator
// hit: 14: sum is kept in scalar_t
// unread: 5

template <typename scalar_t>
void @@ broken (( { 

template <typename scalar_t>
struct AfterFunctor {
  void operator()(sycl::nd_item<1> item) const;
};

template <typename scalar_t> scalar_t after(const scalar_t* in, int n) {
  scalar_t sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i];
  }
  return sum;
}
