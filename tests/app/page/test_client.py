"""What the page sends, what it does not send, and what it makes of an answer that does not come."""

from typing import Any

import pytest

from app.page.visitor import Visitor


@pytest.fixture
def home(visitor: Visitor) -> Visitor:
    visitor.go()
    visitor.shows(".gallery", "Chess")
    return visitor


def found(visitor: Visitor, script: str) -> Any:
    """What a script returns that may wait."""
    return visitor.browser.driver.execute_async_script(
        f"const tell = arguments[0]; (async () => {{ {script} }})().then(tell, (error) => tell(String(error)))"
    )


def test_what_is_too_long_is_not_sent_and_the_connection_stays(home: Visitor) -> None:
    script = """
    const { Client } = await import("/client.js");
    const client = new Client();
    let closed = 0;
    client.addEventListener("offline", () => (closed += 1));
    await client.hello;
    const long = client.ask({ do: "position", game: "é".repeat(33000) });
    long.cancel();
    const said = await long.catch((error) => [error.kind, error.message]);
    const { position } = await client.ask({ do: "position", game: "nim" });
    return [said, position.mover, closed, client.waiting.size];
    """
    assert found(home, script) == [["input", "That is too long: a message has at most 64 kB."], 0, 0, 0]


def test_what_was_cancelled_is_not_sent_again_after_the_connection_was_lost(home: Visitor) -> None:
    script = """
    const { Client } = await import("/client.js");
    const client = new Client();
    await client.hello;
    const heard = client.hear;
    client.hear = () => {};
    const cancelled = client.ask({ do: "analyze", game: "othello", limit: {} });
    const other = client.ask({ do: "position", game: "nim" });
    cancelled.cancel();
    client.hear = heard;
    const sent = [];
    const send = client.send;
    client.send = function (request) { sent.push(request.do); send.call(this, request); };
    client.socket.close();
    return [(await cancelled).cancelled, (await other).position.mover, sent, client.waiting.size];
    """
    assert found(home, script) == [True, 0, ["position"], 0]


def test_the_first_page_says_why_it_has_no_games(home: Visitor) -> None:
    script = """
    const { mount } = await import("/start.js");
    const element = document.createElement("div");
    mount(element, { client: { refresh: async () => { throw new Error("no games today"); } } });
    await new Promise((resolve) => setTimeout(resolve));
    return element.querySelector("[role=alert]")?.textContent;
    """
    assert found(home, script) == "no games today"


@pytest.mark.parametrize(
    ("hello", "evaluations"),
    [
        ("Promise.reject(new Error('no'))", []),
        (
            "new Promise((r) => setTimeout(r, 20, {methods: ['auto'], games: [{name: 'a', evaluations: ['e']}]}))",
            ["e"],
        ),
    ],
)
def test_every_search_waits_for_what_the_game_offers(
    home: Visitor, hello: str, evaluations: list[str]
) -> None:
    script = f"""
    const {{ Analysis }} = await import("/analysis.js");
    const analysis = new Analysis({{ base: {{ game: "a" }}, client: {{ hello: {hello} }} }});
    analysis.showForm().catch(() => {{}});
    await analysis.showForm();
    return analysis.evaluations;
    """
    assert found(home, script) == evaluations
