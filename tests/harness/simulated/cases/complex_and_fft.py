"""Complex and fft."""

import torch

torch.manual_seed(0)
x = torch.tensor([1.0 + 2.0j, 3.0 - 1.0j], device="xpu")
print(x.conj(), x.conj().is_conj(), x.abs().pow(2), x.conj().imag, torch.view_as_real(x), x.real, x.angle().shape)
print(torch.fft.fft(torch.ones(4, device="xpu")), torch.fft.irfft(torch.fft.rfft(torch.arange(4.0, device="xpu"))))
z = torch.tensor([1.0 + 1.0j], device="xpu", requires_grad=True)
(z * z.conj()).real.sum().backward()
print(z.grad, x.conj().mul(x), x.conj().resolve_conj().is_conj(), torch.polar(torch.ones(1, device="xpu"), torch.zeros(1, device="xpu")))
