import torch as th

th.set_default_tensor_type(th.cuda.FloatTensor)
x = th.rand(2)
th.set_default_tensor_type("torch.cuda.HalfTensor")
y = th.rand(2)
th.set_default_tensor_type(th.FloatTensor)
th.set_default_tensor_type("torch.DoubleTensor")
print(x.dtype, y.dtype)
# output
import torch as th

(th.set_default_device("xpu"), th.set_default_dtype(th.float32))
x = th.rand(2)
(th.set_default_device("xpu"), th.set_default_dtype(th.float16))
y = th.rand(2)
th.set_default_tensor_type(th.FloatTensor)
th.set_default_tensor_type("torch.DoubleTensor")
print(x.dtype, y.dtype)
