"""Opening books: what is known of the first positions of a game, kept in files."""
