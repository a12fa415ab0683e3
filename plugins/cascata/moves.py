"""Say what a seat may do: the forms of taking a card and of melding."""

from __future__ import annotations

from collections.abc import Sequence

from carteado.core.api import Form, Pick, Place, Table, Target, Zone

from . import rules
from .rules import FULL, JOKER, RuleBroken


def face_down(zone: Zone, place: int) -> bool:
    """Tell whether the card at a place lies face down."""
    return not zone.sees(place, None)


def free_places(table: Table) -> list[int]:
    """Return the free places of the pyramid."""
    zone = table.zone("pyramid")
    return rules.free(zone.cards, zone.facts["covers"])


def swap_places(table: Table) -> list[int]:
    """Return the places a joker may be swapped into: any face-up card but a joker, free or not (decisions C4, C5)."""
    zone = table.zone("pyramid")
    return [place for place, face in enumerate(zone.cards) if face not in ("", JOKER) and not face_down(zone, place)]


# What turn refuses; the forms offer nothing of it


def check_take(table: Table, place: int) -> None:
    """Refuse a card that is not free. Raises: RuleBroken("covered" | "no_card")."""
    zone = table.zone("pyramid")
    if not _filled(zone, place):
        raise RuleBroken("no_card")
    if not rules.uncovered(zone.cards, zone.facts["covers"], place):
        raise RuleBroken("face_down" if face_down(zone, place) else "covered")


def check_swap(table: Table, seat: int, place: int) -> None:
    """Refuse a swap without a joker, or for what is no face-up natural card. Raises: RuleBroken."""
    zone = table.zone("pyramid")
    if JOKER not in table.cards(f"hand/{seat}"):
        raise RuleBroken("no_joker")
    if not _filled(zone, place):
        raise RuleBroken("no_card")
    if face_down(zone, place):
        raise RuleBroken("face_down")
    if zone.cards[place] == JOKER:
        raise RuleBroken("joker_for_joker")


def _filled(zone: Zone, place: int) -> bool:
    return 0 <= place < len(zone.cards) and bool(zone.cards[place])


def check_draw(table: Table) -> None:
    """Refuse to draw from a reserve that is locked or empty. Raises: RuleBroken("stock_locked" | "stock_empty")."""
    stock = table.zone("stock")
    if stock.facts["locked"]:
        raise RuleBroken("stock_locked", n=len(stock.cards))
    if not stock.cards:
        raise RuleBroken("stock_empty")


def check_owner(table: Table, name: str, seat: int, own: bool) -> None:
    """Refuse to extend somebody else's meld, or to steal one's own. Raises: RuleBroken("no_meld" | "not_yours" | "your_own")."""
    if not (name.startswith("meld/") and table.has(name)):
        raise RuleBroken("no_meld")
    if (table.zone(name).owner == seat) != own:
        raise RuleBroken("not_yours" if own else "your_own")


# What is offered


def take_forms(table: Table, seat: int) -> list[Form]:
    """Return the forms of the first half of a turn: taking is compulsory, so melding and ending the turn are shown as blocked."""
    forms = [Form("take", key="t", on="pyramid", place=Place("pyramid", free_places(table)))]
    stock = table.zone("stock")
    if stock.facts["locked"]:
        forms.append(Form("draw", key="d", on="stock", blocked=["stock_locked", {"n": len(stock.cards)}]))
    elif not stock.cards:
        forms.append(Form("draw", key="d", on="stock", blocked=["stock_empty", {}]))
    else:
        forms.append(Form("draw", key="d", on="stock", default=True))
    hand = f"hand/{seat}"
    places = swap_places(table)
    if JOKER not in table.cards(hand):
        forms.append(Form("swap", key="j", blocked=["no_joker", {}]))
    elif not places:
        forms.append(Form("swap", key="j", blocked=["nothing_to_swap", {}]))
    else:
        forms.append(Form("swap", key="j", card=Pick(hand, 1, cards=[JOKER]), place=Place("pyramid", places)))
    forms.append(Form("meld", key="m", blocked=["take_first", {}]))
    forms.append(Form("done", key="f", blocked=["take_first", {}]))
    return forms


def meld_forms(table: Table, seat: int) -> list[Form]:
    """Return the forms of the second half of a turn: at most one of them, then the next player takes."""
    hand = f"hand/{seat}"
    held = table.cards(hand)
    soft = table.option("soft_steal")
    fillings = rules.fillings(held)
    new = offered(held, fillings)
    most = max((len(filling) for filling in fillings), default=0)
    forms = [
        Form("meld", key="m", cards=Pick(hand, (rules.SMALLEST, most), cards=new))
        if new
        else Form("meld", key="m", blocked=["nothing_to_meld", {}])
    ]
    melds = [zone for zone in table.zones("meld/") if len(zone.cards) < FULL]
    own = [zone for zone in melds if zone.owner == seat]
    others = [zone for zone in melds if zone.owner != seat]
    forms.append(addition("extend", "e", hand, held, own, least=0, lower=lowers(table, held, own)))
    forms.append(addition("steal", "s", hand, held, others, least=0 if soft else FULL))
    forms.append(Form("done", key="f", default=True))
    forms.append(Form("take", key="t", on="pyramid", blocked=["taken_already", {}]))
    forms.append(Form("draw", key="d", on="stock", blocked=["taken_already", {}]))
    return forms


def addition(kind: str, key: str, hand: str, held: Sequence[str], melds: Sequence[Zone], least: int, lower: bool = False) -> Form:
    """Return the form of adding cards to one of some melds, so that it has `least` to four cards; blocked if nothing fits.

    lower: say in its label that it may lower the meld's points.
    """
    cards: set[str] = set()
    targets: list[str] = []
    most = 0
    for zone in melds:
        fillings = rules.fillings(held, zone.cards, least)
        if fillings:
            targets.append(zone.name)
            cards.update(offered(held, fillings))
            most = max(most, *(len(filling) for filling in fillings))
    if not targets:
        return Form(kind, key=key, blocked=[f"nothing_to_{kind}", {}])
    label = [f"form.{kind}.lower", {}] if lower else None
    return Form(kind, key=key, label=label, cards=Pick(hand, (1, most), cards=sorted(cards, key=rules.by_rank)), meld=Target(targets))


def lowers(table: Table, held: Sequence[str], melds: Sequence[Zone]) -> bool:
    """Tell whether some extension of one of these melds would be worth less than the meld is now (decision C14)."""
    rows = multiplier(table)
    return any(
        rules.base_points([*zone.cards, *more]) * rows < zone.facts["points"]
        for zone in melds
        for more in rules.fillings(held, zone.cards, least=0)
    )


def multiplier(table: Table) -> int:
    """Return what a meld changed now is multiplied by."""
    return rules.multiplier(rules.rows_left(table.cards("pyramid"))) if table.option("row_multiplier") else 1


def offered(held: Sequence[str], fillings: Sequence[Sequence[str]]) -> list[str]:
    """Return the cards that occur in some filling, every suit of a rank that does."""
    ranks = {rules.rank(face) for filling in fillings for face in filling}
    return sorted({face for face in held if rules.rank(face) in ranks}, key=rules.by_rank)
