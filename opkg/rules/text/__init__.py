"""The text of rules: lexer, parser, the ways in (C++, -E output, specs), printer and formatter."""
