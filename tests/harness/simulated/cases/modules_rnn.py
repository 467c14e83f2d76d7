"""Modules rnn."""

import torch

torch.manual_seed(0)
for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
    torch.manual_seed(0)
    layer = kind(3, 4, num_layers=2, bidirectional=True).to("xpu")
    out, _ = layer(torch.ones(5, 2, 3, device="xpu"))
    out.sum().backward()
    print(kind.__name__, out.shape, round(out.sum().item(), 4), layer.weight_ih_l0.grad.device)
packed = torch.nn.utils.rnn.pack_padded_sequence(torch.ones(4, 2, 3, device="xpu"), torch.tensor([4, 2]))
out, lengths = torch.nn.utils.rnn.pad_packed_sequence(layer(packed)[0])
print(out.shape, lengths)
