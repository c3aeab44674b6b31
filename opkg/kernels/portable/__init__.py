"""The graph as portable C++."""
