"""The spec of the bundle that these tests make: one op, floats and quantized, with a static input."""

SPEC = """\
opkg: 1
package: {name: test.bundle, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime, executorch-builder]}
ops:
  ScaledBy:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}, scale: {dtype: T, shape: x.shape, static: true}}
    params: {more: {dtype: float32, default: 0.5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * scale + more
"""
