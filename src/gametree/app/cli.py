"""The command `gametree`.

Commands import what they need when they run: `--help` has to be there at once.
"""

import enum
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gametree.app import failures
from gametree.app.exercising import exercise, grade
from gametree.app.explaining import explain
from gametree.app.options import Compile, Compiling, Json, Played, Position, Settings, Target, json_only
from gametree.app.solving import solve, strategy
from gametree.app.why import why

app = typer.Typer(
    add_completion=False,
    # Plain help: at once, in any width, without colours.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 all is well; 1 `check` found problems or `grade` mistakes, `solve` was stopped by its limit,"
    " or a strategy does not hold; 2 the input is wrong or the rules raised an error; 70 a fault in gametree itself;"
    " 130 interrupted by Ctrl-C; 141 nobody reads the output any more.",
)


class Method(str, enum.Enum):
    """How to search."""

    auto = "auto"
    minimax = "minimax"
    alphabeta = "alphabeta"
    expectiminimax = "expectiminimax"
    maxn = "maxn"
    paranoid = "paranoid"
    best_reply = "best-reply"
    mtdf = "mtdf"
    sss = "sss"
    dual = "dual"
    pns = "pns"
    dfpn = "dfpn"
    mcts = "mcts"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A board that a terminal cannot show is no reason to fail.
            reconfigure(errors="replace")
    try:
        given = None if arguments is None else list(arguments)
        code = app(args=given, prog_name="gametree", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = failures.INTERRUPTED
    except BrokenPipeError:
        return _unread()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            return _unread()
        code = leaving.code
    except Exception as error:
        return failures.report(error)
    if code == failures.INTERRUPTED:
        print("\ngametree: interrupted", file=sys.stderr)
    return code if isinstance(code, int) else failures.OK


def _unread() -> int:
    """Nobody reads standard output any more; what is left in it must not be complained about at exit."""
    import os

    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return failures.BROKEN_PIPE


def _version(asked: bool) -> None:
    if asked:
        from gametree import __version__

        print(f"gametree {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def command(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Games from plain Python rules: play them, analyze them, check them.

    \b
    gametree play tic-tac-toe
    gametree analyze connect-four --moves-played "4 4 5" --moves
    gametree check mygame.py
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games(as_json: Json = False) -> None:
    """Lists the games that can be named, with their parameters.

    \b
    Example:
      gametree games
    """
    from gametree import games as shelf
    from gametree.app import view

    with json_only(as_json) as emit:
        found = [shelf.describe(name) for name in shelf.names()]
        if as_json:
            emit([view.description_data(one) for one in found])
    if not as_json:
        view.show_games(found)


@app.command()
def play(
    game: Target,
    level: Annotated[int, typer.Option(metavar="1-10", help="How well the machine plays.")] = 5,
    side: Annotated[
        str, typer.Option(help="Whom you play: first, second, both, none, or a player's name such as X.")
    ] = "first",
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same opponent.")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours; NO_COLOR does the same.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Nothing but ASCII characters.")] = False,
) -> None:
    """Plays a game against you; type `help` in it to see what you can do. Moves may come from a pipe.

    \b
    Examples:
      gametree play connect-four --level 7 --side second
      printf 'b2\\na1\\n' | gametree play tic-tac-toe --seed 1
    """
    from gametree.app import terminal
    from gametree.app.load import load
    from gametree.app.notation import position as place
    from gametree.app.screen import Screen

    if seed is None:
        import secrets

        seed = secrets.randbits(32)
    rules = load(game, settings or ())
    screen = Screen(color=not no_color, ascii=ascii_only)
    session = terminal.Session(
        rules,
        screen,
        title=game,
        state=place(rules, position, played),
        people=terminal.sides(rules, side),
        level=level,
        seed=seed,
    )
    session.run()


@app.command()
def analyze(
    game: Target,
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many plies.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Stop after so long.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many nodes.")] = None,
    method: Annotated[Method, typer.Option(help="Which search; auto takes the one that fits.")] = Method.auto,
    moves: Annotated[bool, typer.Option("--moves", help="The value of every move.")] = False,
    lines: Annotated[int, typer.Option(metavar="N", help="How many of the best lines.")] = 1,
    only: Annotated[
        str | None, typer.Option("--only", metavar="MOVES", help="Look at these moves alone.")
    ] = None,
    evaluation: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of the game's evaluations.")
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", help="How many threads search together.")] = 1,
    hash_mb: Annotated[
        float, typer.Option("--hash", metavar="MB", help="The size of the transposition table.")
    ] = 64,
    selective: Annotated[
        bool, typer.Option(help="Follow some lines further and others less far than the depth.")
    ] = True,
    compiling: Compiling = Compile.auto,
    as_json: Json = False,
) -> None:
    """Finds the best move and what it is worth.

    \b
    Examples:
      gametree analyze tic-tac-toe --position "X.O/.X./..O" --moves
      gametree analyze connect-four --moves-played "4 4 5" --seconds 2
      gametree analyze chess --lines 3 --threads 2 --hash 256 --seconds 10
      gametree analyze othello --method mcts --seconds 2
      gametree analyze chinese-checkers --set players=3 --method paranoid --seconds 2
      gametree analyze mygame.py:Nim --set counters=9
    """
    from gametree.app import view
    from gametree.app.load import load
    from gametree.app.notation import place_with_history, read_action, words_of
    from gametree.result import Limit

    limits = {"depth": depth, "seconds": seconds, "nodes": nodes}
    given = {name: value for name, value in limits.items() if value is not None}
    limit = Limit(**given) if given else None  # type: ignore[arg-type]
    with json_only(as_json) as emit:
        rules = load(game, settings or ())
        state, history = place_with_history(rules, position, played)
        if not as_json:
            view.show_position(rules, state)
        from gametree.search.analyze import analyze as search

        actions = None if only is None else [read_action(rules, state, text) for text in words_of(only)]

        with view.progress(as_json) as on_progress:
            analysis = search(
                rules,
                state,
                limit,
                method=method.value,
                moves=moves,
                lines=lines,
                actions=actions,
                history=history,
                on_progress=on_progress,
                evaluation=evaluation,
                compile=compiling.value,
                threads=threads,
                hash_mb=hash_mb,
                selective=selective,
            )
        if as_json:
            emit(analysis.to_dict())
    if not as_json:
        view.show_analysis(rules, analysis)


@app.command()
def stats(
    game: Target,
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    plays: Annotated[int, typer.Option("--plays", help="How many random plays.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same plays.")] = 0,
    as_json: Json = False,
) -> None:
    """Measures how wide and how long a game is: the b and m of the lectures.

    \b
    Examples:
      gametree stats connect-four
      gametree stats tic-tac-toe --plays 200 --json
    """
    from gametree.app.load import load
    from gametree.app.notation import position as place
    from gametree.search.statistics import stats as measure

    with json_only(as_json) as emit:
        rules = load(game, settings or ())
        found = measure(rules, place(rules, position, played), plays=plays, seed=seed)
        if as_json:
            emit(found.to_dict())
        else:
            typer.echo(str(found))


@app.command()
def perft(
    game: Target,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="How many plies.")],
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    divide: Annotated[bool, typer.Option("--divide", help="The count below each move.")] = False,
    compiling: Compiling = Compile.auto,
    as_json: Json = False,
) -> None:
    """Counts the lines of play of every length up to DEPTH: the fingerprint of the rules.

    \b
    Examples:
      gametree perft connect-four 8
      gametree perft tic-tac-toe 4 --divide
    """
    from gametree.app import counting, view
    from gametree.app.load import load
    from gametree.app.notation import position as place

    with json_only(as_json) as emit:
        rules = load(game, settings or ())
        state = place(rules, position, played)
        if divide:
            shares = counting.divide(rules, depth, state, compiling.value)
            if as_json:
                emit({"depth": depth, "total": sum(shares.values()), "moves": shares})
            else:
                view.show_shares(shares)
            return
        counts = []
        for count in counting.counts(rules, depth, state, compiling.value):
            counts.append(count.to_dict())
            if not as_json:
                view.show_count(count)
        if as_json:
            emit({"counts": counts})


@app.command()
def check(
    game: Target,
    settings: Settings = None,
    compile_report: Annotated[
        bool, typer.Option("--compile", help="Instead: what of the rules compiles, and what to change.")
    ] = False,
    plays: Annotated[int, typer.Option(metavar="N", help="How many random games.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="Which random games.")] = 0,
    as_json: Json = False,
) -> None:
    """Plays random games and looks for mistakes in the rules. Exits with 1 where it finds any.

    \b
    Examples:
      gametree check mygame.py
      gametree check mygame.py:Nim --compile
    """
    from gametree.app.load import load

    with json_only(as_json) as emit:
        rules = load(game, settings or ())
        report: Any
        if compile_report:
            from gametree.compiled import native
            from gametree.errors import InputError

            missing = native.unavailable()
            if missing:
                raise InputError(f"check --compile: {missing}")
            from gametree.compiled.diagnosis import explain

            report = explain(rules)
            code = failures.OK if report.ok else failures.PROBLEMS
        else:
            from gametree.checking.checker import check as examine

            report = examine(rules, plays=plays, seed=seed)
            code = report.exit_code
        if as_json:
            emit(report.to_dict())
    if not as_json:
        print(report)
    if code:
        raise typer.Exit(code)


@app.command()
def uci(
    evaluation: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="How positions are judged: network, default (features), or lolli (material)."
        ),
    ] = "network",
    hash_mb: Annotated[int, typer.Option("--hash", metavar="MB", help="The size of the table.")] = 64,
    threads: Annotated[int, typer.Option(metavar="N", help="How many threads search.")] = 1,
) -> None:
    """Plays chess as a UCI engine, for chess programs and servers.

    \b
    Example:
      gametree uci --hash 256 --threads 2
      printf 'uci\\nquit\\n' | gametree uci
    """
    from gametree.app.uci.options import from_command_line
    from gametree.app.uci.session import serve

    serve(from_command_line(evaluation, hash_mb, threads))


@app.command()
def gtp(
    game: Annotated[str, typer.Argument(metavar="GAME", help="go, hex or othello.")] = "go",
    size: Annotated[int | None, typer.Option(metavar="N", help="The size of the board.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to think where no time is set.")] = 5.0,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Instead: so many simulations or nodes a move.")
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", help="How many threads search.")] = 1,
) -> None:
    """Plays Go, Hex or Othello over the Go Text Protocol, for boards and other programs.

    \b
    Example:
      gametree gtp --seconds 2
      printf 'genmove black\\nquit\\n' | gametree gtp hex --size 7 --nodes 1000
    """
    from gametree.app.gtp.session import Options, serve
    from gametree.app.gtp.table import Table

    serve(Table(game, size), Options(seconds, nodes, threads))


app.command()(explain)
app.command()(exercise)
app.command()(grade)
app.command()(why)
app.command()(solve)
app.command()(strategy)


@app.command()
def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="A smaller signature, for runs without a compiler.")
    ] = False,
    compiling: Compiling = Compile.auto,
    as_json: Json = False,
) -> None:
    """Searches fixed positions to fixed depths. The number of nodes is the signature of rules and searches.

    \b
    Example:
      gametree bench
    """
    from gametree.app import view
    from gametree.app.bench import measure

    measured = []
    for one in measure(quick, compiling.value):
        measured.append(one)
        if not as_json:
            view.show_measured(one)
    total = sum(one.nodes for one in measured)
    if as_json:
        with json_only(True) as emit:
            emit({"nodes": total, "quick": quick, "entries": [one.to_dict() for one in measured]})
    else:
        print(f"Bench: {total}{' (quick)' if quick else ''}")


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove every entry.")] = False,
    as_json: Json = False,
) -> None:
    """Shows the machine code that is kept on disk, or removes it.

    \b
    Examples:
      gametree cache
      gametree cache --clear
    """
    from gametree.app import view
    from gametree.compiled import cache as store

    with json_only(as_json) as emit:
        if clear:
            gone, kept = store.clear()
            if as_json:
                emit({"directory": str(store.directory()), "removed": gone, "kept": kept})
        elif as_json:
            emit(view.cache_data(store.directory(), store.entries()))
    if as_json:
        return
    if clear:
        still = f"; {kept} could not be removed" if kept else ""
        print(f"{gone} removed from {store.directory()}{still}")
    else:
        view.show_cache(store.directory(), store.entries())
