"""The peer: iterations of a joint energy model in PyTorch, as a careful person would write them.

Takes the device. Reads "DEPTH WIDTH COUNT" lines from stdin; for each, does so many training iterations of a wide residual
network without norm and prints the seconds that one took on average. Sampling in bfloat16, channels last, parameters cast
once a chain; on a GPU cuDNN in benchmark mode, the whole chain as one CUDA graph with its noise refilled before each replay,
and fused Adam.
"""
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

device = torch.device(sys.argv[1])
cuda = device.type == "cuda"
torch.backends.cudnn.benchmark = True
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.manual_seed(0)
STEPS, BATCH, BUFFER, H, SIGMA, CLASSES = 20, 64, 10_000, 1.0, 0.01, 10


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, 1, 1)
        self.second = nn.Conv2d(outputs, outputs, 3, stride, 1)
        self.skip = nn.Conv2d(inputs, outputs, 1, stride) if stride != 1 or inputs != outputs else None

    def forward(self, x):
        y = self.second(F.leaky_relu(self.first(F.leaky_relu(x, 0.2)), 0.2))
        return y + (x if self.skip is None else self.skip(x))


class Wrn(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, 1, 1)
        blocks, inputs = [], 16
        for stage in range(3):
            for block in range((depth - 4) // 6):
                outputs = (16 << stage) * width
                blocks.append(Block(inputs, outputs, 2 if stage > 0 and block == 0 else 1))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.last = nn.Linear(inputs, CLASSES)

    def forward(self, x):
        return self.last(F.leaky_relu(self.blocks(self.first(x)), 0.2).mean((2, 3)))


class Jem:
    def __init__(self, depth, width):
        self.net = Wrn(depth, width).to(device).to(memory_format=torch.channels_last)
        self.frozen = Wrn(depth, width).to(device).to(torch.bfloat16).to(memory_format=torch.channels_last)
        self.frozen.requires_grad_(False)
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=1e-4, **({"fused": True} if cuda else {}))
        self.buffer = 2 * torch.rand(BUFFER, 3, 32, 32, device=device) - 1
        self.start = torch.zeros(BATCH, 3, 32, 32, device=device)
        self.noise = torch.zeros(STEPS, BATCH, 3, 32, 32, device=device)
        self.graph = None
        if cuda:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self.chain()
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.end = self.chain()

    def chain(self):
        x = self.start
        for step in range(STEPS):
            x = x.detach().requires_grad_(True)
            y = x.to(torch.bfloat16).to(memory_format=torch.channels_last)
            gradient, = torch.autograd.grad(self.frozen(y).float().logsumexp(1).sum(), x)
            x = x.detach() + H * gradient + SIGMA * self.noise[step]
        return x

    def sample(self):
        with torch.no_grad():
            for low, full in zip(self.frozen.parameters(), self.net.parameters()):
                low.copy_(full)
            slots = torch.randint(0, BUFFER, (BATCH,), device=device)
            fresh = (torch.rand(BATCH, 1, 1, 1, device=device) < 0.05).float()
            self.start.copy_(fresh * (2 * torch.rand_like(self.start) - 1) + (1 - fresh) * self.buffer[slots])
            self.noise.normal_()
        if self.graph is None:
            end = self.chain()
        else:
            self.graph.replay()
            end = self.end
        self.buffer[slots] = end
        return end

    def iteration(self, x, labelled, y):
        negatives = self.sample()
        rows = torch.cat((x, negatives, labelled)).to(memory_format=torch.channels_last)
        with torch.autocast(device.type, torch.bfloat16):
            logits = self.net(rows)
        logits = logits.float()
        f = logits.logsumexp(1)
        loss = f[BATCH:2 * BATCH].mean() - f[:BATCH].mean() + F.cross_entropy(logits[2 * BATCH:], y)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        return loss.detach()


def synchronize():
    if cuda:
        torch.cuda.synchronize()


models = {}
print(torch.__version__, flush=True)
for line in sys.stdin:
    depth, width, count = (int(word) for word in line.split())
    if (depth, width) not in models:
        models.clear()
        models[depth, width] = Jem(depth, width)
    jem = models[depth, width]
    x, labelled = (2 * torch.rand(BATCH, 3, 32, 32, device=device) - 1 for _ in range(2))
    y = torch.randint(0, CLASSES, (BATCH,), device=device)
    synchronize()
    began = time.perf_counter()
    for _ in range(count):
        jem.iteration(x, labelled, y)
    synchronize()
    print((time.perf_counter() - began) / count, flush=True)
