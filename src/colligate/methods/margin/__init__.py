"""What the margin methods share: features, outsiders, risks, cutting planes and the dual they solve."""
