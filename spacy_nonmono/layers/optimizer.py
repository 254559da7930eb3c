"""thinc's Adam, faster on the CPU: one pass over the weights instead of several.

With the embedding tables of a tok2vec a step changes one or two million weights, most of them by their
moments alone. With thinc's that is a third of the time of a training with `arc_eager_unshift`.
"""

from typing import Any

import numpy
from thinc.api import Optimizer
from thinc.types import Generator

from .adam import step

Rate = float | list[float] | Generator


class FastAdam(Optimizer):
    """Adam in one pass over the weights. It computes what thinc's `Adam` does, up to rounding."""

    def __call__(
        self, key: tuple[int, str], weights: Any, gradient: Any, *, lr_scale: float = 1.0
    ) -> tuple[Any, Any]:
        is_plain = self.b1 and self.b2 and (self.L2_is_weight_decay or not self.L2)
        if not isinstance(weights, numpy.ndarray) or not is_plain:
            return super().__call__(key, weights, gradient, lr_scale=lr_scale)
        average = None
        if self.averages is not None:
            average = array_of(self.averages, key, weights.shape).ravel()
        self.nr_update[key] += 1
        t = self.nr_update[key]
        # Views, but of arrays that are not what C reads
        flat_weights, flat_gradient = (
            numpy.ascontiguousarray(array, dtype="f").reshape(-1) for array in (weights, gradient)
        )
        step(
            flat_weights,
            flat_gradient,
            array_of(self.mom1, key, weights.size),
            array_of(self.mom2, key, weights.size),
            average,
            clip=self.grad_clip,
            beta1=self.b1,
            beta2=self.b2,
            eps=self.eps,
            rate=lr_scale * self.learn_rate * (1 - self.b2**t) ** 0.5 / (1 - self.b1**t),
            decay=lr_scale * self.learn_rate * self.L2,
            # The average is nearer to the last weights at the start
            follow=1 - min((1 + t) / (10 + t), 0.9999),
        )
        for array, flat in ((weights, flat_weights), (gradient, flat_gradient)):
            if not numpy.may_share_memory(array, flat):
                array[...] = flat.reshape(array.shape)
        return weights, gradient


def array_of(arrays: Any, key: tuple[int, str], shape: int | tuple[int, ...]) -> Any:
    """Get the array that belongs to a parameter; at first it is made of zeros."""
    if key not in arrays:
        arrays[key] = numpy.zeros(shape, dtype="f")
    return arrays[key]


def Adam(
    learn_rate: Rate = 0.001,
    *,
    beta1: Rate = 0.9,
    beta2: Rate = 0.999,
    eps: Rate = 1e-8,
    L2: Rate = 0.0,
    L2_is_weight_decay: bool = True,
    grad_clip: Rate = 1.0,
    use_averages: bool = True,
) -> FastAdam:
    """Make an optimizer with the options of thinc's `Adam.v1` (Adam, Kingma & Ba 2015); on a GPU it is
    that one."""
    return FastAdam(
        learn_rate,
        beta1=beta1,
        beta2=beta2,
        eps=eps,
        L2=L2,
        L2_is_weight_decay=L2_is_weight_decay,
        grad_clip=grad_clip,
        use_averages=use_averages,
    )
