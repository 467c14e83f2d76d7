import argparse

import torch


def main():
    parser = argparse.ArgumentParser(description="cuda or cpu, whichever is there")
    parser.add_argument("--device", default="cuda", choices=["cpu", "cuda"], help="where it runs, cuda by default")
    parser.add_argument("--rows", type=int, default=65536)
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args([])
    device = torch.device(args.device if torch.cuda.is_available() and not args.no_cuda else "cpu")
    x = torch.arange(args.rows, device=device, dtype=torch.float16)
    total = x.sum()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    print(f"{device}: {total.item():.1f}")


if __name__ == "__main__":
    main()
# output
import argparse

import torch


def main():
    parser = argparse.ArgumentParser(description="cuda or cpu, whichever is there")
    parser.add_argument("--device", default="xpu", choices=["cpu", "xpu"], help="where it runs, cuda by default")
    parser.add_argument("--rows", type=int, default=65536)
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args([])
    device = torch.device(args.device if torch.xpu.is_available() and not args.no_cuda else "cpu")
    x = torch.arange(args.rows, device=device, dtype=torch.float16)
    total = x.sum()
    if device.type == "xpu":
        torch.xpu.synchronize(device)
    print(f"{device}: {total.item():.1f}")


if __name__ == "__main__":
    main()
