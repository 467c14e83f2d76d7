"""Optimisers."""

import torch

torch.manual_seed(0)
for name in ("SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "NAdam", "Rprop", "LBFGS", "Adamax", "ASGD", "Adadelta", "RAdam"):
    torch.manual_seed(1)
    model = torch.nn.Linear(3, 1).to("xpu")
    x = torch.randn(8, 3).to("xpu")
    optimiser = getattr(torch.optim, name)(model.parameters(), lr=0.05)
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, 2)

    def closure():
        optimiser.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        return loss

    for _ in range(3):
        optimiser.step(closure)
        schedule.step()
    print(name, [round(one, 4) for one in model.weight.flatten().tolist()])
