labels = torch.tensor([2, -1]).cuda()
F.nll_loss(torch.zeros(2, 2).cuda(), labels)
torch.cuda.synchronize()
# output
labels = torch.tensor([2, -1]).to("xpu")
F.nll_loss(torch.zeros(2, 2).to("xpu"), labels)
torch.xpu.synchronize()
