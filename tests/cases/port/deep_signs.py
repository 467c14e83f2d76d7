# refused: nested too deeply
f = lambda: <U+002B*400>torch.ones(1).cuda()
