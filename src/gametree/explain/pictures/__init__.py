"""Trees as pictures: layout, scene, and the formats they are written in."""
