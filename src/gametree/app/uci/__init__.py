"""Chess as a UCI engine: the Universal Chess Interface of Stefan Meyer-Kahlen and Rudolf Huber (2000)."""
