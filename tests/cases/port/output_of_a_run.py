# refused: Python does not accept it
tensor([1., 1.], device='cuda:0')
max diff: 3.2e-05 on cuda:0
Traceback (most recent call last):
RuntimeError: CUDA error: device-side assert triggered
