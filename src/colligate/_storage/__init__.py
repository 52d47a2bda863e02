"""How files are stored: written whole or not at all, described by a manifest, read without trust."""
