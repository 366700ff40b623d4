"""The peer: one training iteration of the toy in PyTorch, as a careful person would write it.

Reads "N" lines from stdin; for each, does N iterations and prints the seconds that they took.
"""
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

STEPS, BATCH, H, SIGMA = 20, 100, 0.0015, 0.003 ** 0.5
net = nn.Sequential(
    nn.Linear(2, 32), nn.LeakyReLU(0.05),
    nn.Linear(32, 64), nn.LeakyReLU(0.05),
    nn.Linear(64, 64), nn.LeakyReLU(0.05),
    nn.Linear(64, 64), nn.LeakyReLU(0.05),
    nn.Linear(64, 1))
parameters = list(net.parameters())
adam = torch.optim.Adam(parameters, lr=1e-3)


def positives():
    ring = torch.randint(1, 5, (BATCH,)).float()
    angle = 2 * torch.pi * torch.rand(BATCH)
    radius = ring + 0.15 * torch.randn(BATCH)
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], 1)


def negatives():
    for p in parameters:
        p.requires_grad_(False)  # frozen: only the input needs a gradient
    x = 2 * torch.randn(BATCH, 2)
    for _ in range(STEPS):
        x.requires_grad_(True)
        gradient, = torch.autograd.grad(net(x).sum(), x)
        x = x.detach() + H * gradient + SIGMA * torch.randn(BATCH, 2)
    for p in parameters:
        p.requires_grad_(True)
    return x


def iteration():
    data, samples = positives(), negatives()
    loss = net(samples).mean() - net(data).mean()
    adam.zero_grad(set_to_none=True)
    loss.backward()
    adam.step()


print(torch.__version__, flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    for _ in range(int(line)):
        iteration()
    print(time.perf_counter() - began, flush=True)
