import torch<U+000D>x = torch.ones(2).cuda()<U+000D>if x.is_cuda:<U+000D>	print(x.to("cuda"))<U+000D>
# output
import torch<U+000D>x = torch.ones(2).to("xpu")<U+000D>if x.is_xpu:<U+000D>	print(x.to("xpu"))<U+000D>
