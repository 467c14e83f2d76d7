# leftover: 6: asks for cuDNN
# leftover: 10: cuDNN (does not matter)
# leftover: 11: _cudnn_rnn_flatten_weight
import torch

torch.backends.cudnn.enabled = True
torch.backends.cudnn.benchmark = True
rnn = torch.nn.LSTM(4, 4).cuda()
out, _ = rnn(torch.zeros(2, 1, 4, device="cuda"))
print(torch.backends.cudnn.version(), out.shape)
same = torch.ops.aten._cudnn_rnn_flatten_weight
# output
import torch

torch.backends.cudnn.enabled = True
pass
rnn = torch.nn.LSTM(4, 4).to("xpu")
out, _ = rnn(torch.zeros(2, 1, 4, device="xpu"))
print(torch.backends.cudnn.version(), out.shape)
same = torch.ops.aten._cudnn_rnn_flatten_weight
