import torch


class M(torch.nn.Module):
    def forward(self, x):
        return torch.where(x > 0, x, torch.expm1(x))


program = torch.export.export(M(), (torch.ones(3),))
print(program.graph_module.code, [n.target for n in program.graph.nodes if n.op == "call_function"])
