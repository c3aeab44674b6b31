"""Ops of a spec in models that exist: their `pattern:` is looked for among a model's nodes, and the op put there."""
