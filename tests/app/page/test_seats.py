"""Games that hide something: a seat is shown what it may see, and the screen is handed over with the hands covered."""

from app.page.visitor import Visitor

STAGE = "return document.querySelector('.stage').innerText"


def button(visitor: Visitor, words: str) -> None:
    """Clicks the button that says so."""
    script = """const found = [...document.querySelectorAll(".table button")]
      .find((one) => one.getClientRects().length && !one.disabled && one.textContent.startsWith(arguments[0]));
    found?.click(); return Boolean(found)"""
    visitor.until(script, words)


def heard(visitor: Visitor) -> str:
    """Everything that the server has sent to the page since it was opened."""
    return str(visitor.see("return window.heard.join('\\n')"))


def listen(visitor: Visitor) -> None:
    """Has the page keep what it is sent."""
    visitor.browser.command(
        "Page.addScriptToEvaluateOnNewDocument",
        source="""window.heard = []; const Plain = WebSocket;
        window.WebSocket = class extends Plain { constructor(...all) { super(...all);
          this.addEventListener("message", (event) => window.heard.push(event.data)); } };""",
    )


def test_one_person_against_an_engine_is_sent_one_hand(visitor: Visitor) -> None:
    listen(visitor)
    visitor.play("kuhn-poker", "seats=p,3")
    visitor.until("return location.hash.startsWith('#/seat/kuhn-poker')")
    visitor.until("return document.querySelector('[data-action=bet]')")
    own = visitor.text(".as-text").strip()[0]
    sent = [line for line in heard(visitor).splitlines() if '"seat"' in line]
    assert own in "JQK" and sent
    for other in set("JQK") - {own}:
        assert all(f'"text": "{other}' not in line for line in sent)
    visitor.click("[data-action=bet]")
    visitor.until("return document.querySelector('.status').dataset.over === 'true'")
    # Nobody plays any more: all hands may be opened.
    button(visitor, "Open all hands")
    visitor.until(
        "return location.hash.startsWith('#/play/kuhn-poker') && location.hash.includes('mode=analyse')"
    )
    visitor.until("return document.querySelectorAll('.moves .move').length >= 4")


def test_two_people_hand_the_screen_over_with_the_hands_covered(visitor: Visitor) -> None:
    visitor.play("kuhn-poker", "seats=p,p")
    visitor.shows(".status", "Pass the screen to")
    assert visitor.see("return document.querySelectorAll('.act').length") == 0
    assert not set("JQK") & set(visitor.text(".as-text"))
    button(visitor, "The first player looks now")
    visitor.until("return document.querySelector('[data-action=bet]')")
    first = visitor.text(".as-text").strip()[0]
    visitor.click("[data-action=bet]")
    button(visitor, "Hand over to the second player")
    visitor.shows(".status", "Pass the screen to the second player")
    assert first not in visitor.text(".as-text")
    button(visitor, "The second player looks now")
    visitor.until("return document.querySelector('[data-action=fold]')")
    second = visitor.text(".as-text").strip()[0]
    assert second in "JQK" and second != first
    visitor.click("[data-action=fold]")
    assert visitor.shows(".status", "The first player wins")


def test_a_game_goes_on_after_a_reload_and_its_address_gives_no_hand_away(visitor: Visitor) -> None:
    visitor.play("leduc-poker", "seats=p,2")
    visitor.until("return document.querySelectorAll('.act').length")
    before = visitor.text(".as-text")
    address = visitor.address
    keys = visitor.see("return Object.values(sessionStorage).join()")
    assert (
        "keys" in keys
        and "moves" not in address
        and not any(one in address for one in keys.split('"') if len(one) > 20)
    )
    visitor.browser.driver.refresh()
    visitor.until("return document.querySelectorAll('.act').length")
    assert visitor.text(".as-text") == before


def test_a_hint_resigning_and_a_new_game(visitor: Visitor) -> None:
    visitor.play("kuhn-poker", "seats=p,2")
    visitor.until("return document.querySelector('[data-action=bet]')")
    button(visitor, "Hint")
    visitor.until("return /Hint: /.test(document.querySelector('.side').innerText)")
    button(visitor, "Resign")
    assert "resigns" in visitor.shows(".status", "resigns")
    assert visitor.see("return document.querySelectorAll('.act').length") == 0
    button(visitor, "New game")
    visitor.click("dialog .primary")
    visitor.until("return document.querySelector('[data-action=bet]')")


def test_a_board_of_a_seat_is_clicked_on(visitor: Visitor) -> None:
    visitor.play("phantom-tic-tac-toe", "seats=p,1")
    visitor.until("return document.querySelectorAll('.cell.can').length === 9")
    visitor.click(".cell[data-cell=b2]")
    visitor.until("return document.querySelectorAll('.cell.can').length === 8")


def test_a_game_that_the_server_has_forgotten_says_so_and_begins_anew(visitor: Visitor) -> None:
    visitor.play("kuhn-poker", "seats=p,2")
    visitor.until("return document.querySelector('[data-action=bet]')")
    visitor.see(
        """for (const [key, value] of Object.entries(sessionStorage)) if (key.endsWith("seats=p,2"))
        sessionStorage.setItem(key, value.replace(/"keys":\\["[^"]*"/, '"keys":["forgotten"'));"""
    )
    visitor.browser.driver.refresh()
    visitor.shows(".trouble", "started anew since")
    button(visitor, "Begin anew")
    visitor.until("return document.querySelector('[data-action=bet]')")


def test_engines_alone_play_with_open_hands(visitor: Visitor) -> None:
    visitor.play("kuhn-poker", "seats=1,1")
    visitor.until("return document.querySelector('.status').dataset.over === 'true'")
    assert visitor.address.startswith("#/play/kuhn-poker")


def test_an_open_position_is_analysed_and_the_way_to_a_seat_stands_below(visitor: Visitor) -> None:
    visitor.play("kuhn-poker", "moves=K,Q")
    assert visitor.see("return document.querySelector('.side').dataset.mode") == "analyse"
    assert visitor.shows(".open-hands", "without seeing the other hands")
    visitor.click(".open-hands a")
    visitor.until("return document.querySelector('[data-action=bet]')")
    assert visitor.address.startswith("#/seat/kuhn-poker")
    visitor.play("nim", "s.counters=5")
    assert visitor.see("return document.querySelector('.open-hands').hidden")
