"""The parts of Colligate's own method: one mixture in which every kind of knowledge is a term."""
