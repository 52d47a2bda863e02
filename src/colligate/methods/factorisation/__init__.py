"""What the factorisation methods share: relations as products of memberships, and updates that never rise."""
