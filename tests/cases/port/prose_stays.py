"""cuda"""
# device="cuda" gave 3, .cuda() gave 4; torch.cuda.synchronize() made no difference


def compare(left, right):
    "cuda"
    if left.device != right.device:
        raise ValueError("expected a cuda tensor but got cpu: call .cuda() first")
    print("CUDA:", left, "cuda: ", right, "cuda:0 and cpu differ", b"cuda", "not cuda", "cudart")
    return {"cuda_version": 12, "is_cuda": False}
