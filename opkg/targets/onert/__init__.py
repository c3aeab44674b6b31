"""The target onert: a new operation of Samsung's runtime, from its class to the cpu backend and the tests."""

from opkg.targets.onert.target import OnertTarget

TARGET = OnertTarget()
