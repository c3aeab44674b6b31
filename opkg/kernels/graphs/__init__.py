"""The graph of a computation: built, simplified, classified, cut into snippets."""
