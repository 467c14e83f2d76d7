"""A diverging call's smallest form: fewer numbers, smaller shapes, and which of its relatives diverge too."""
