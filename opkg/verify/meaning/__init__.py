"""What an answer may be: computations on real values, decisions, intervals, stored numbers. Knows no case and no machine."""
