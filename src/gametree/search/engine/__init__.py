"""The engine behind `analyze`: deepening, ordering, selectivity, quiescence."""
