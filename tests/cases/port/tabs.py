import torch
def run(n):
	x = torch.ones(n	,	device	=	"cuda")
	if	x.is_cuda:
		return	x	.cuda	(	)
	return	x
print(run(3))
# output
import torch
def run(n):
	x = torch.ones(n	,	device	=	"xpu")
	if	x.is_xpu:
		return	x	.to("xpu")
	return	x
print(run(3))
