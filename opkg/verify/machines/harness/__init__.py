"""For the processes that run cases inside other runtimes."""
