"""The older name of the adaptor: releases up to 1.0."""

from .PyQnnManagerAdaptor import PyQnnOpWrapper, Qnn_DataType_t, Qnn_TensorType_t, TensorWrapper

__all__ = ["PyQnnOpWrapper", "Qnn_DataType_t", "Qnn_TensorType_t", "TensorWrapper"]
