"""What the papers print, digit by digit, and the list of all their tables and figures."""
