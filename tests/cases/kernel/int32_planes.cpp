// rule: int32-index
// hit: 7: total keeps the product nBatch * nPlane_ * outputSize in 32 bits
// hit: 9: ob * oc * oh * ow is multiplied in 32 bits before numel is made of it
// hit: 11: index keeps the product i * N_ in 32 bits

void fold_planes_kernel(int nBatch, int nPlane_, int outputSize, int ob, int oc, int oh, int ow, int i, int64_t N_) {
  int total = nBatch * nPlane_ * outputSize;
  launch(total);
  int64_t numel = ob * oc * oh * ow;
  launch(numel);
  int index = i * N_ + ow;
  launch(index);
  int lanes = 32 * lane_width;
  int place = i * vec_size;
  launch(lanes, place);
}
