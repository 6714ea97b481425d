"""The rules checker's parts: it asks, it judges, it compares, it walks, it reports."""
