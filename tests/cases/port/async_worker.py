import asyncio

import torch


async def work(queue, device="cuda"):
    while (item := await queue.get()) is not None:
        out = torch.fft.rfft(item.to(device))
        await asyncio.to_thread(torch.cuda.synchronize)
        print(out.abs().sum().item())


async def main():
    queue = asyncio.Queue()
    await queue.put(torch.ones(8).cuda())
    await queue.put(None)
    await work(queue)


asyncio.run(main())
# output
import asyncio

import torch


async def work(queue, device="xpu"):
    while (item := await queue.get()) is not None:
        out = torch.fft.rfft(item.to(device))
        await asyncio.to_thread(torch.xpu.synchronize)
        print(out.abs().sum().item())


async def main():
    queue = asyncio.Queue()
    await queue.put(torch.ones(8).to("xpu"))
    await queue.put(None)
    await work(queue)


asyncio.run(main())
