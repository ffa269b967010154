# SPDX-License-Identifier: MIT
"""Values that may be left out: the defaults of numpy and PyTorch, by operation or, for all operations of a shape, by shape."""

DEFAULTS = {
    "leaky_relu": {"alpha": 0.01},
    "elu": {"alpha": 1.0},
    "celu": {"alpha": 1.0},
    "addcmul": {"alpha": 1.0},
    "argsort": {"descending": 0},
    "norm": {"epsilon": 1e-5},
    "add_norm": {"epsilon": 1e-5},
    "layernorm_stats": {"epsilon": 1e-5},
    "rmsnorm_stats": {"epsilon": 1e-5},
    "groupnorm": {"epsilon": 1e-5},
    "rope_table": {"base": 10000.0},
    "random": {"offset": 0},
    "dropout_mask": {"p": 0.5, "offset": 0},
    "sgd": {"decay": 0.0, "momentum": 0.0, "dampening": 0.0, "nesterov": 0},
    "adam": {"rate": 1e-3, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "decay": 0.0},
    "adagrad": {"rate": 1e-2, "decay": 0.0, "epsilon": 1e-10},
}
for _shape in ("average", "maximum", "d_average", "d_maximum"):
    for _order in ("_nhwc", "_nchw"):
        DEFAULTS[_shape + _order] = {"pad_h": 0, "pad_w": 0, **({"include_pad": 1} if "average" in _shape else {})}
for _shape in ("unfold", "fold"):
    DEFAULTS[_shape] = {"stride_h": 1, "stride_w": 1, "pad_h": 0, "pad_w": 0, "dilation_h": 1, "dilation_w": 1}
# AdamW's decay is not 0 in PyTorch.
DEFAULTS["adamw"] = {**DEFAULTS["adam"], "decay": 1e-2}


def defaults_of(op, shape):
    """By name, the defaults of the values of an operation. The forms of some rows of a matrix share those of all rows."""
    for name in (op, op.replace("_rows", ""), shape.name):
        if name in DEFAULTS:
            return DEFAULTS[name]
    return {}
