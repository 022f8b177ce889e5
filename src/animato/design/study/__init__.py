"""Around a design: choices, editing by handles, tolerances."""
