"""A stand-in for the wheel, for tests."""
