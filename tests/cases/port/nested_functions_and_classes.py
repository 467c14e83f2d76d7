import torch


class Outer:
    device = "cuda"

    class Inner:
        def run(self, x):
            def step(y, *, d=Outer.device if False else "cuda"):
                return [z.cuda() for z in y.to(d)]

            return step(x.cuda())

    @staticmethod
    def cuda_name():
        return "cuda"


print(Outer.Inner().run(torch.ones(2)), Outer.cuda_name())
# output
import torch


class Outer:
    device = "xpu"

    class Inner:
        def run(self, x):
            def step(y, *, d=Outer.device if False else "xpu"):
                return [z.to("xpu") for z in y.to(d)]

            return step(x.to("xpu"))

    @staticmethod
    def cuda_name():
        return "xpu"


print(Outer.Inner().run(torch.ones(2)), Outer.cuda_name())
