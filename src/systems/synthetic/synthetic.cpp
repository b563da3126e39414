// Replaced by the synthetic system.
