"""Optimization rules of HTP op packages: text to tree, types, graphs, rewriting (the language of DEF_PACKAGE_OPTIMIZATION)."""
