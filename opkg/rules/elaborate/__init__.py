"""Elaboration: the syntax tree of a rule becomes its typed tree, directed by the context each construct stands in."""
