"""What people see: the terminal client and its words."""
