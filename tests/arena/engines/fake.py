"""Programs that misbehave: `python fake.py PROTOCOL FAULT`. They speak well until it is their move."""

import os
import sys
import time


def say(text: str) -> None:
    print(text, flush=True)


def misbehave(protocol: str, fault: str) -> None:
    if fault == "hangs":
        time.sleep(60)
    elif fault == "dies":
        os._exit(3)
    elif fault == "killed":
        os.kill(os.getpid(), 9)
    elif fault == "babbles":
        for _ in range(40):
            say("info string " + "x" * 50_000)
        time.sleep(60)
    elif fault == "lies":
        say(
            {"gtp": "= Z99\n", "json": '{"id": null, "done": true, "analysis": {"action": "Z99"}}'}.get(
                protocol, "bestmove e7e9"
            )
        )
    elif fault == "garbles":
        say({"gtp": "? I do not want to\n", "json": "{not json"}.get(protocol, "bestmove"))
    elif fault == "resigns":
        say("= resign\n")


def main(protocol: str, fault: str) -> None:
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if protocol in ("uci", "ugi"):
            if word == protocol:
                if fault == "mute":
                    sys.exit(0)
                say("option name Skill type spin")
                say(f"{protocol}ok")
            elif word == "isready":
                say("readyok")
            elif word == "go":
                misbehave(protocol, fault)
            elif word == "quit":
                break
        elif protocol == "gtp":
            if word == "genmove":
                misbehave(protocol, fault)
            else:
                say("= play\n")
        elif '"hello"' in line:
            say('{"id": 1, "done": true}')
        else:
            misbehave(protocol, fault)


if __name__ == "__main__":
    main(*sys.argv[1:3])
