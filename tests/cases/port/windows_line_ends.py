<U+FEFF>import torch<U+000D>
# größer als „2³¹“<U+000D>
x = (torch.ones(3)<U+000D>
     .cuda())<U+000D>
print("überall", x.to("cuda"))<U+000D>
# output
<U+FEFF>import torch<U+000D>
# größer als „2³¹“<U+000D>
x = (torch.ones(3)<U+000D>
     .to("xpu"))<U+000D>
print("überall", x.to("xpu"))<U+000D>
