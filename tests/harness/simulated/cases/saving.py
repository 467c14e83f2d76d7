"""Saving."""

import torch

torch.manual_seed(0)
import io, pickle
model = torch.nn.Linear(2, 2).to("xpu")
file = io.BytesIO()
torch.save({"model": model.state_dict(), "x": torch.arange(4, device="xpu")[1:3], "step": 3}, file)
file.seek(0)
back = torch.load(file)
print(back["x"], back["model"]["weight"].device, torch.equal(back["model"]["weight"], model.weight), back["step"])
file.seek(0)
print(torch.load(file, map_location="cpu", weights_only=True)["x"])
other = torch.nn.Linear(2, 2).to("xpu")
print(other.load_state_dict(back["model"]), torch.equal(other.weight, model.weight), pickle.loads(pickle.dumps(torch.ones(1, device="xpu"))))
