"""What a match or a tournament leaves behind: a page, pictures, and games in the formats of their world.

page       everything at a glance, every game to replay     page.py
pictures   the curve of the score; ratings and cross table  pictures.py
notation   games as PGN, PDN, SGF                           notation.py
"""
