"""How the store's schema came to be, one module a step; alembic runs those that a database has not seen."""
