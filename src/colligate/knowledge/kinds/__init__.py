"""The kinds of knowledge, one file each; a new file here is found by itself."""
