"""The parts of the method `colligate`: a mixture model in which every kind of knowledge is a term.

Start with `em` beside docs/methods/colligate.md. `problem` and `features` prepare the data, `priors` turns
knowledge into terms, `ensemble` finds the start, `calibration` estimates the nuisance parameters,
`prediction` places new documents, and `constants` lists every fixed number.
"""
