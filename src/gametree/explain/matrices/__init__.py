"""Matrix games explained: the argument in sentences, the matrix as a picture, the tree with its information sets."""
