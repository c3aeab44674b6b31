"""Keys, with the wheel's names."""

QCOM_AXIS = "axis"
QCOM_AXIS_ORDER = "axis_order"
QCOM_DATA = "data"
QCOM_OFFSET = "offset"
QCOM_SCALE = "scale"
QCOM_SCALE_OFFSET = "scale_offset"
