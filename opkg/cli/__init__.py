"""The command `opkg`: one file per verb, which parses arguments, calls one function and prints."""
