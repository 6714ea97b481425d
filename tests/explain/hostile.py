"""Names that a picture has to show as text, whatever they look like."""

NAMES = (
    "<script>alert(1)</script>",
    "\\input{/etc/passwd}",
    "\\end{tikzpicture}\\end{document}",
    "]]><!-- & &amp; &#0; %x;",
    "\"quotes\" 'single' `back`",
    "line\nbreak\r\nand\ttab",
    "\x00\x01\x1b[2J\x7f\x9b",
    "\u202eright to left\u2066",
    "\ud800 lone",
    "\ufffe\uffff",
    "😀👩‍👩‍👧‍👦 象棋 é",
    "^^4d ^^^^0041 $x$ #1 %{ _ ~ & \\\\",
    "${alert(1)} {{7*7}}",
    "very long " * 200,
    "i" * 5000,
    "-- --- ?` !` << >> ,,",
    " ",
)
