"""The peer: twenty Langevin steps on the short-run network in PyTorch, as a careful person would write them.

Takes the device. Reads "float" or "bfloat16" lines from stdin; for each, does a walk and prints the seconds it took.
"""
import sys
import time

import torch
from torch import nn

device = sys.argv[1]
torch.manual_seed(0)
STEPS, BATCH, H, SIGMA = 20, 64, 1.0, 0.01


def network():
    act = nn.LeakyReLU(0.2)
    return nn.Sequential(
        nn.Conv2d(3, 64, 3, 1, 1), act, nn.Conv2d(64, 128, 4, 2, 1), act, nn.Conv2d(128, 256, 4, 2, 1), act,
        nn.Conv2d(256, 512, 4, 2, 1), act, nn.Conv2d(512, 1, 4, 1, 0)).requires_grad_(False).to(device)


nets = {"float": network(), "bfloat16": network().to(torch.bfloat16).to(memory_format=torch.channels_last)}
start = (2 * torch.rand(BATCH, 3, 32, 32) - 1).to(device)


def walk(precision):
    net, low = nets[precision], precision == "bfloat16"
    x = start
    for _ in range(STEPS):
        x = x.detach().requires_grad_(True)
        y = x.to(torch.bfloat16).to(memory_format=torch.channels_last) if low else x
        gradient, = torch.autograd.grad(net(y).float().sum(), x)
        x = x.detach() + H * gradient + SIGMA * torch.randn_like(x)
    return x


print(torch.__version__, flush=True)
for line in sys.stdin:
    if device.startswith("cuda"):
        torch.cuda.synchronize()
    began = time.perf_counter()
    walk(line.strip()).sum().item()
    print(time.perf_counter() - began, flush=True)
