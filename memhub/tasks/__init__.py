"""Long work made of many short commits under one operation."""
