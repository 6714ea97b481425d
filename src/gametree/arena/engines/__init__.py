"""Programs as players: processes of their own, in which whatever happens is a result and never the end of a match.

Program     a process and its lines                 program.py
Uci         chess engines                           uci.py
Gtp         Go, Hex and Othello programs            gtp.py
Ugi         engines for any game                    ugi.py
JsonLines   `gametree engine` and others like it    json_lines.py
Seated      a class or function of a file           seat.py
"""
