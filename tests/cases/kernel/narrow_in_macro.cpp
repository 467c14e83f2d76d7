// rule: narrow-accumulator
// hit: 9: weight_sum is kept in scalar_t

#define BAG_KERNEL(scalar_t, index_t)                     \
  void bag_##scalar_t(const index_t* offsets,             \
                      scalar_t* out,                      \
                      const scalar_t* weight) {           \
    for (int64_t bag = 0; bag < 8; bag++) {               \
      scalar_t weight_sum = 0;                            \
      for (index_t i = offsets[bag]; i < offsets[bag + 1]; i++) { \
        weight_sum += weight[i];                          \
      }                                                   \
      out[bag] = weight_sum;                              \
    }                                                     \
  }

