"""The SQL store: tables, journals, players and books in SQLite or PostgreSQL. Imported by whoever opens a store, and nobody else."""
