"""`python -m animato.cli`."""

from animato.cli import main

main()
