"""Source trees of onert (Samsung ONE): where an operation goes, over the years, and which operation lacks what."""
