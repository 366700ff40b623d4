"""Makes tiny-script.pt, a TorchScript module for ScriptModuleTest; run in this folder. PyTorch 1.13 wrote the file here."""
import torch


class Tiny(torch.nn.Module):
    """features: the mean of each channel and its square; logits: two sums of these. Dropout shows the mode."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor([[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, -1.0]]))
            self.linear.bias.copy_(torch.tensor([0.5, -0.5]))
        self.dropout = torch.nn.Dropout(0.5)

    @torch.jit.export
    def features(self, x):
        mean = x.mean((2, 3))
        return self.dropout(torch.cat([mean, mean * mean], 1))

    @torch.jit.export
    def logits(self, x):
        return self.linear(self.features(x))

    @torch.jit.export
    def both(self, x):
        return self.features(x), self.logits(x)

    def forward(self, x):
        return self.features(x)


torch.jit.script(Tiny()).save("tiny-script.pt")
