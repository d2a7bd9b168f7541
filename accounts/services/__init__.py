"""What one can do with accounts: each function one transaction or part of one."""
