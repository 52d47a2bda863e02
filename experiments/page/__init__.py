"""The page of all tables and figures, published beside obtained, made from what is stored."""
