"""The peer: MALA and HMC in PyTorch, as a careful person would write them.

Takes a folder with the targets' numbers. Reads "TARGET KERNEL STEP_SIZE LEAPS STEPS" lines from stdin; for each, takes
the chains that many steps further, prints the seconds and the share of accepted proposals, and leaves the draws in
draws.npy.
"""
import math
import sys
import time

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
folder = sys.argv[1]


def load(name):
    return torch.from_numpy(np.load(f"{folder}/{name}.npy"))


class Mlp:
    """f = the network's output, its parameters frozen: only the input needs a gradient."""

    def __init__(self):
        self.net = nn.Sequential(
            nn.Linear(2, 128), nn.LeakyReLU(0.05),
            nn.Linear(128, 128), nn.LeakyReLU(0.05),
            nn.Linear(128, 1)).requires_grad_(False)
        nn.utils.vector_to_parameters(load("mlp"), self.net.parameters())

    def value_and_gradient(self, x):
        with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            value = self.net(x).squeeze(1)
            gradient, = torch.autograd.grad(value.sum(), x)
        return value.detach(), gradient

    def gradient(self, x):
        return self.value_and_gradient(x)[1]


class Gaussian:
    """f = -(x - mean) P (x - mean) / 2; one product gives value and gradient."""

    def __init__(self):
        self.mean = load("mean").float()
        self.minus_precision = -torch.linalg.inv(load("covariance")).float()

    def value_and_gradient(self, x):
        centred = x - self.mean
        gradient = centred @ self.minus_precision
        return 0.5 * (centred * gradient).sum(1), gradient

    def gradient(self, x):
        return (x - self.mean) @ self.minus_precision


def metropolis(x, value, gradient, y, y_value, y_gradient, log_acceptance):
    accepted = torch.rand_like(log_acceptance).log() < log_acceptance
    rows = accepted.unsqueeze(1)
    return (torch.where(rows, y, x), torch.where(accepted, y_value, value),
            torch.where(rows, y_gradient, gradient), accepted)


def mala(target, h, _, x, value, gradient):
    noise = torch.randn_like(x).mul_(math.sqrt(2 * h))
    y = torch.add(x, gradient, alpha=h).add_(noise)
    y_value, y_gradient = target.value_and_gradient(y)
    backward = (x - y).sub_(y_gradient, alpha=h)
    log_acceptance = y_value - value + (noise.square().sum(1) - backward.square().sum(1)) / (4 * h)
    return metropolis(x, value, gradient, y, y_value, y_gradient, log_acceptance)


def hmc(target, epsilon, leaps, x, value, gradient):
    push = torch.randn_like(x)
    p = torch.add(push, gradient, alpha=epsilon / 2)
    y = torch.add(x, p, alpha=epsilon)
    for _ in range(leaps - 1):
        p.add_(target.gradient(y), alpha=epsilon)
        y.add_(p, alpha=epsilon)
    y_value, y_gradient = target.value_and_gradient(y)
    p.add_(y_gradient, alpha=epsilon / 2)
    log_acceptance = y_value - value + 0.5 * (push.square().sum(1) - p.square().sum(1))
    return metropolis(x, value, gradient, y, y_value, y_gradient, log_acceptance)


targets = {"mlp": Mlp(), "gaussian": Gaussian()}
kernels = {"mala": mala, "hmc": hmc}
chains = {}


@torch.no_grad()
def run(target_name, kernel_name, step_size, leaps, steps):
    target, kernel = targets[target_name], kernels[kernel_name]
    name = f"{target_name}-{kernel_name}"
    x = chains[name] if name in chains else load(name)
    began = time.perf_counter()
    draws = torch.empty(steps, *x.shape)
    count = torch.zeros(len(x))
    value, gradient = target.value_and_gradient(x)
    for i in range(steps):
        x, value, gradient, accepted = kernel(target, step_size, leaps, x, value, gradient)
        draws[i] = x
        count += accepted
    seconds = time.perf_counter() - began
    chains[name] = x
    np.save(f"{folder}/draws.npy", draws.numpy())
    return seconds, count.mean().item() / steps


print(torch.__version__, flush=True)
for line in sys.stdin:
    target_name, kernel_name, step_size, leaps, steps = line.split()
    print(*run(target_name, kernel_name, float(step_size), int(leaps), int(steps)), flush=True)
