import torch; d = "cuda"; x = torch.ones(2, device=d); torch.cuda.synchronize(); y = x.cuda().is_cuda
if y: torch.backends.cudnn.enabled = False; print(x) ; z = x.to ( "cuda" ) ;
for _ in range(2): x = x.cuda(); x = -x
# output
import torch; d = "xpu"; x = torch.ones(2, device=d); torch.xpu.synchronize(); y = x.to("xpu").is_xpu
if y: pass; print(x) ; z = x.to ( "xpu" ) ;
for _ in range(2): x = x.to("xpu"); x = -x
