# leftover: 9: second XPU device
import torch
text = "a<U+2028>b<U+0085>c<U+000B>d"
x = torch.ones(3).cuda()  # <U+2029> is no line's end here
<U+000C>
y = """<U+0085>
cuda <U+2028>
"""; z = x.to("cuda")
w = torch.ones(1, device="cuda:1")
# output
import torch
text = "a<U+2028>b<U+0085>c<U+000B>d"
x = torch.ones(3).to("xpu")  # <U+2029> is no line's end here
<U+000C>
y = """<U+0085>
cuda <U+2028>
"""; z = x.to("xpu")
w = torch.ones(1, device="cuda:1")
