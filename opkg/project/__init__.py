"""The user's tree: which specs there are, what was generated from them, and how it is brought up to date."""
