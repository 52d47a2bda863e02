"""`python -m colligate`: the command line, also where its script is not on the path."""

from colligate.cli.main import main

if __name__ == "__main__":
    main()
