"""The address is the position; the page outlives reloads, other tabs, and its server."""

import pytest

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


@pytest.mark.parametrize("what", ["", "throw new DOMException('too many', 'SecurityError')"])
def test_an_address_that_the_browser_does_not_take_at_once_is_written_later(
    visitor: Visitor, what: str
) -> None:
    # Chromium drops what comes after 200 in 10 s, Firefox raises an error: dice that roll at once are as fast.
    visitor.play("tic-tac-toe", PEOPLE)
    visitor.see(f"history.pushState = () => {{ {what} }}")
    visitor.click(cell("b2"))
    visitor.reaches(1)
    visitor.until("return location.hash.includes('moves=b2')")


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


def test_an_address_that_leads_nowhere_says_why(visitor: Visitor) -> None:
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
