import asyncio

import torch


async def stream(n, *, device="cuda"):
    for i in range(n):
        yield torch.full((2,), i).cuda(non_blocking=True)
        await asyncio.sleep(0)


async def main():
    async for x in stream(2):
        async with asyncio.Lock():
            print(x.sum().item(), [y.cuda() async for y in stream(1)])
    torch.cuda.synchronize()


asyncio.run(main())
# output
import asyncio

import torch


async def stream(n, *, device="xpu"):
    for i in range(n):
        yield torch.full((2,), i).to("xpu", non_blocking=True)
        await asyncio.sleep(0)


async def main():
    async for x in stream(2):
        async with asyncio.Lock():
            print(x.sum().item(), [y.to("xpu") async for y in stream(1)])
    torch.xpu.synchronize()


asyncio.run(main())
