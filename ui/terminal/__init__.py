"""The terminal client: it draws views and fills in forms, and knows no game by name."""
