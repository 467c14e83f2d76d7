"""`python -m bot` is `alignbot`."""

from bot.cli import main

if __name__ == "__main__":
    main()
