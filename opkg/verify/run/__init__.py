"""Order and progress: what runs beside what, large cases last, interrupts."""
