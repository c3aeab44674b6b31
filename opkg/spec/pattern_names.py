"""Names of torch that a `pattern:` may use: functions of tensors that compute the same every time and change nothing.

The names are those of torch 2.13. What is not here (a function of a later torch, one of another library) is written
`torch.ops.NAMESPACE.NAME.OVERLOAD(...)`.
"""

from __future__ import annotations

_FUNCTIONS = """
abs acos acosh adaptive_avg_pool1d adaptive_max_pool1d add addcdiv addcmul addmm addmv all amax amin aminmax any
arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort asin asinh atan atan2 atanh atleast_1d
atleast_2d atleast_3d avg_pool1d baddbmm batch_norm bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor bmm broadcast_to cat ceil celu channel_shuffle chunk clamp clamp_max clamp_min clip
column_stack concat concatenate constant_pad_nd conv1d conv2d conv3d conv_transpose1d conv_transpose2d
conv_transpose3d copysign cos cosh cosine_similarity count_nonzero cross cummax cummin cumprod cumsum deg2rad diag
diag_embed diagflat diagonal dist div divide dot dstack einsum embedding eq erf erfc exp exp2 expm1 fix flatten flip
fliplr flipud floor floor_divide fmax fmin fmod frac full_like gather ge greater greater_equal grid_sampler_2d
grid_sampler_3d group_norm gt hardshrink hsplit hstack hypot index_add index_copy index_fill index_put index_reduce
index_select inner instance_norm isclose isfinite isinf isnan isneginf isposinf layer_norm le lerp less less_equal
log log10 log1p log2 log_softmax logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit logsumexp
lt masked_fill masked_scatter matmul max max_pool1d max_pool2d max_pool3d maximum mean min minimum mm moveaxis
movedim mul multiply mv nan_to_num narrow ne neg negative norm not_equal ones_like outer pairwise_distance permute
pixel_shuffle pixel_unshuffle positive pow prelu prod rad2deg ravel reciprocal relu remainder repeat_interleave
reshape rms_norm roll rot90 round rsqrt rsub scatter scatter_add scatter_reduce select selu sgn sigmoid sign signbit
sin sinc sinh softmax sort split split_with_sizes sqrt square squeeze stack std std_mean sub subtract sum swapaxes
swapdims t take_along_dim tan tanh tensor_split threshold tile topk trace transpose tril triu true_divide trunc
unbind unflatten unsqueeze var var_mean vsplit vstack where xlogy zeros_like
"""

_FUNCTIONAL = """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d batch_norm celu channel_shuffle conv1d conv2d conv3d
conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity elu embedding gelu glu grid_sample group_norm
hardshrink hardsigmoid hardswish hardtanh instance_norm interpolate layer_norm leaky_relu linear local_response_norm
log_softmax logsigmoid lp_pool2d max_pool1d max_pool2d max_pool3d mish normalize pad pairwise_distance pixel_shuffle
pixel_unshuffle prelu relu relu6 rms_norm scaled_dot_product_attention selu sigmoid silu softmax softmin softplus
softshrink softsign tanh tanhshrink threshold unfold
"""

_METHODS = """
abs acos acosh add addcdiv addcmul addmm addmv all amax amin aminmax any arccos arccosh arcsin arcsinh arctan
arctan2 arctanh argmax argmin argsort asin asinh atan atan2 atanh baddbmm bitwise_and bitwise_left_shift bitwise_not
bitwise_or bitwise_right_shift bitwise_xor bmm bool broadcast_to ceil chunk clamp clamp_max clamp_min clip clone
contiguous copysign cos cosh count_nonzero cross cummax cummin cumprod cumsum deg2rad detach diag diag_embed
diagflat diagonal dist div divide dot eq erf erfc exp exp2 expand expand_as expm1 fix flatten flip fliplr flipud
float floor floor_divide fmax fmin fmod frac gather ge greater greater_equal gt half hardshrink hsplit hypot
index_add index_copy index_fill index_put index_reduce index_select inner int isclose isfinite isinf isnan isneginf
isposinf le lerp less less_equal log log10 log1p log2 log_softmax logaddexp logaddexp2 logical_and logical_not
logical_or logical_xor logit logsumexp long lt masked_fill masked_scatter matmul max maximum mean min minimum mm
moveaxis movedim mul multiply mv nan_to_num narrow ne neg negative norm not_equal outer permute positive pow prelu
prod rad2deg ravel reciprocal relu remainder repeat repeat_interleave reshape reshape_as roll rot90 round rsqrt
scatter scatter_add scatter_reduce select sgn sigmoid sign signbit sin sinc sinh softmax sort split split_with_sizes
sqrt square squeeze std sub subtract sum sum_to_size swapaxes swapdims t take_along_dim tan tanh tensor_split tile
to topk trace transpose tril triu true_divide trunc type_as unbind unflatten unfold unsqueeze var view vsplit where
xlogy
"""

_CONSTANTS = "bfloat16 bool e float16 float32 float64 inf int16 int32 int64 int8 pi uint8"

FUNCTIONS = frozenset(_FUNCTIONS.split())
FUNCTIONAL = frozenset(_FUNCTIONAL.split())
METHODS = frozenset(_METHODS.split())
CONSTANTS = frozenset(_CONSTANTS.split())

# What people write for something else: hints.
INSTEAD = {
    "dropout": "a model that is exported has no dropout: leave it out",
    "float": "x.to(torch.float32)",
    "max": "torch.maximum(a, b), or torch.amax(x, -1)",
    "min": "torch.minimum(a, b), or torch.amin(x, -1)",
    "shape": "name the dimension (shape: [batch..., C]) and write C, or let torch find it (-1 in reshape)",
    "size": "name the dimension (shape: [batch..., C]) and write C, or let torch find it (-1 in reshape)",
    "T": "x.transpose(-2, -1)",
    "mT": "x.transpose(-2, -1)",
    "values": "results are taken by number: [0]",
    "indices": "results are taken by number: [1]",
    "dim": "ranks belong to one graph: count dimensions from the end",
}
