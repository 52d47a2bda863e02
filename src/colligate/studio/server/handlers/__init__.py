"""What each route of the studio answers."""
