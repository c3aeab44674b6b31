"""Ops that are declared elsewhere become specs: one module per form of declaration, one form between, one writer."""
