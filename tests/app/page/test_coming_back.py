"""The address is the position; the page outlives reloads, other tabs, and its server."""

import json

from app.page.visitor import Visitor, cell
from app.web.served import Served

PEOPLE = "seats=p,p"
TREE = "e4,e5(c5,~The%20Sicilian,Nf3,d6),Nf3,Nc6(Nf6,Nxe5)"


def test_the_back_button_and_a_reload_lead_where_they_should(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", PEOPLE)
    visitor.click(cell("b2"))
    visitor.reaches(1)
    visitor.click(cell("a1"))
    visitor.reaches(2)
    visitor.browser.driver.back()
    visitor.until("return document.querySelector('.stage')?.dataset.ply === '1'")
    visitor.browser.driver.forward()
    visitor.until("return document.querySelector('.stage')?.dataset.ply === '2'")
    address = visitor.address
    visitor.browser.driver.refresh()
    visitor.reaches(2)
    assert visitor.address == address and visitor.see(
        "return document.querySelector('[data-cell=a1]').ariaLabel"
    ).startswith("a1, O")


def test_variations_and_comments_are_in_the_address(visitor: Visitor) -> None:
    visitor.play("chess", f"{PEOPLE}&moves=e4,c5&tree={TREE}")
    assert visitor.see(
        "return [...document.querySelectorAll('.moves .move')].map((one) => one.textContent)"
    ) == [
        "e4",
        "e5",
        "c5",
        "Nf3",
        "d6",
        "Nf3",
        "Nc6",
        "Nf6",
        "Nxe5",
    ]
    assert "The Sicilian" in visitor.text(".variation .comment")
    visitor.click(".edit .button:not([hidden])")
    visitor.until("return [...document.querySelectorAll('.moves .move')][1].textContent === 'c5'")
    visitor.browser.driver.refresh()
    visitor.until("return [...document.querySelectorAll('.moves .move')][1]?.textContent === 'c5'")
    visitor.type_into(".record textarea", "Sharp (and ~ good)")
    visitor.see("document.querySelector('.record textarea').dispatchEvent(new Event('change'))")
    visitor.browser.driver.refresh()
    visitor.shows(".moves", "Sharp (and ~ good)")


def test_a_game_goes_out_and_comes_in_again(visitor: Visitor) -> None:
    visitor.play("chess", f"{PEOPLE}&moves=e4,c5&tree={TREE}")
    written = {}
    visitor.see(
        "[...document.querySelectorAll('.tools .button')].find((one) => one.textContent === 'Share').click()"
    )
    for name in visitor.until(
        "return [...document.querySelectorAll('dialog option')].map((one) => one.value)"
    ):
        visitor.choose("dialog select", name)
        written[name] = visitor.see("return document.querySelector('dialog textarea').value")
    assert (
        "1. e4 e5 (1... c5 {The Sicilian} 2. Nf3 d6) 2. Nf3 Nc6 (2... Nf6 3. Nxe5)"
        in written["Moves (PGN, PDN)"]
    )
    assert written["Position"].startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3")
    assert json.loads(written["JSON"])["game"] == "chess"
    for name in ("Moves (PGN, PDN)", "JSON", "Position"):
        visitor.play("chess", PEOPLE)
        imported(visitor, written[name])
        if name == "Position":
            visitor.until("return location.hash.includes('position=rnbqkbnr')")
        else:
            visitor.shows(".moves", "The Sicilian")
            assert visitor.see("return document.querySelectorAll('.moves .move').length") == 9


def imported(visitor: Visitor, text: str) -> None:
    visitor.see(
        "[...document.querySelectorAll('.tools .button')].find((one) => one.textContent === 'Import').click()"
    )
    visitor.until("return document.querySelector('dialog textarea')")
    visitor.see("document.querySelector('dialog textarea').value = arguments[0]", text)
    visitor.click("dialog .button.primary")
    visitor.until(
        "return !document.querySelector('dialog') || !document.querySelector('dialog .trouble').hidden"
    )


def test_notations_of_other_games_come_in(visitor: Visitor) -> None:
    for game, text, last in (
        ("connect-four", "445", "5"),
        ("checkers", "1. 11-15 23-19 2. 8-11", "8-11"),
        ("go", "(;FF[4]GM[1]SZ[9];B[ee];W[gc](;B[cc])(;B[cg]C[a comment]))", "C7"),
        ("othello", "d3 c5", "c5"),
    ):
        visitor.play(game, PEOPLE)
        imported(visitor, text)
        visitor.until(
            "return [...document.querySelectorAll('.move[aria-current]')].at(-1)?.textContent === arguments[0]",
            last,
        )


def test_what_cannot_be_read_is_refused_with_the_reason(visitor: Visitor) -> None:
    visitor.play("chess", PEOPLE)
    imported(visitor, "1. e4 e5 2. Qh6")
    assert "Qh6" in visitor.text("dialog .trouble")
    visitor.play("tic-tac-toe", f"{PEOPLE}&moves=b2,z9")
    visitor.shows(".stage .trouble", "'z9'")
    visitor.reaches(1)
    visitor.go("#/play/nogame")
    visitor.shows("#main", "there is no game 'nogame'")
    visitor.go("#/nowhere")
    visitor.shows("#main", "There is no page")


def test_a_new_game_with_other_parameters_from_a_position(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", PEOPLE)
    visitor.see("document.querySelector('.tools .primary').click()")
    visitor.until("return document.querySelector('dialog .field input')")
    visitor.see("document.querySelectorAll('dialog .field input')[0].value = 4")
    visitor.click("dialog .button.primary")
    visitor.until("return document.querySelectorAll('.cell').length === 12")
    assert "s.width=4" in visitor.address
    visitor.see("document.querySelector('.tools .primary').click()")
    visitor.until("return document.querySelector('dialog textarea')")
    visitor.see("document.querySelector('dialog textarea').value = 'nonsense'")
    visitor.click("dialog .button.primary")
    visitor.until("return !document.querySelector('dialog .trouble').hidden")


def test_two_tabs_have_games_of_their_own(visitor: Visitor) -> None:
    driver = visitor.browser.driver
    visitor.play("tic-tac-toe", PEOPLE)
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    visitor.play("tic-tac-toe", PEOPLE)
    visitor.click(cell("c3"))
    visitor.reaches(1)
    driver.close()
    driver.switch_to.window(first)
    assert visitor.ply == 0
    visitor.click(cell("a1"))
    visitor.reaches(1)


def test_a_reload_in_mid_search_goes_on(visitor: Visitor) -> None:
    visitor.play("othello", "mode=analyse&moves=d3")
    visitor.shows(".progress", "depth")
    visitor.browser.driver.refresh()
    visitor.shows(".progress", "depth")
    assert "moves=d3" in visitor.address


def test_a_server_that_is_killed_and_started_again(visitor: Visitor) -> None:
    with_own_port = Served()
    try:
        other = Visitor(visitor.browser, with_own_port)
        other.play("tic-tac-toe", PEOPLE)
        other.click(cell("b2"))
        other.reaches(1)
        with_own_port.kill()
        other.until("return !document.getElementById('offline').hidden")
        other.click(cell("a1"))
        with_own_port = Served(port=with_own_port.port)
        other.reaches(2)
        assert other.see("return document.getElementById('offline').hidden")
    finally:
        with_own_port.close()
        visitor.go()
