"""`python -m opkg`."""

from opkg.cli.main import main

if __name__ == "__main__":
    main()
