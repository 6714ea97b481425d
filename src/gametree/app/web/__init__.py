"""`gametree serve`: a page on which any game can be played, analysed and explored."""
