"""Counts how often a log names a device.

Run it as: CUDA_VISIBLE_DEVICES=0 python count.py, or call torch.cuda.synchronize() yourself before.
"""
import collections

WORDS = ("cuda error", "cudnn status", "mps backend")


def count(lines):
    # x.cuda() is spelled .to("cuda") by some
    found = collections.Counter()
    for line in lines:
        found.update(word for word in WORDS if word in line.lower())
    return found


print(count(["CUDA error: device-side assert", "all good on cpu"]))
