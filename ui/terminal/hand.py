"""The reader's hand: a fan of cards with their keys below, marked ones raised."""

from __future__ import annotations

from .cards import HAND_KEYS, SMALL, Fan, Look, paint_card, plan_fan
from .grid import Grid, width
from .local import hand_zone
from .scene import Rect, Scene, card_hit, zone_hit


def plan_hand(scene: Scene, wide: int, large: bool) -> Fan:
    """Choose how the hand is set out."""
    return plan_fan(max(1, len(scene.local.hand)), wide - 2, large)


def hand_height(fan: Fan) -> int:
    """Return the lines a hand takes: the room to raise cards, the cards, their keys."""
    return fan.rows * (fan.size.high + 2)


def needs_label_line(scene: Scene, fan: Fan, wide: int) -> bool:
    """Tell whether the label would lie under a raised card and so needs a line of its own."""
    return _left(fan, wide) < width(_label(scene)) + 3


def _label(scene: Scene) -> str:
    own = hand_zone(scene.view)
    if own is None:
        return ""
    labels = (scene.view.get("layout") or {}).get("labels") or {}
    return scene.words.text(labels[own["name"]]) if own["name"] in labels else scene.words("ui.hand")


def _left(fan: Fan, wide: int) -> int:
    return max(1, (wide - fan.width) // 2)


def paint_hand(scene: Scene, rect: Rect, fan: Fan, label_line: bool) -> None:
    """Draw the hand; the whole area takes cards that are dropped."""
    own = hand_zone(scene.view)
    if own is None:
        return
    local, grid = scene.local, scene.grid
    hand = local.hand
    grid.touch(rect.x, rect.y, rect.wide, rect.high, zone_hit(own["name"]))
    left = rect.x + _left(fan, rect.wide)
    top = rect.y
    if label_line:
        top += 1
    if label_line or not needs_label_line(scene, fan, rect.wide):
        grid.put(rect.x + 1, rect.y, _label(scene), "label", zone_hit(own["name"]))
    if not hand.faces:
        grid.put(left, top + 1, scene.words("ui.no_cards"), "dim")
        return
    allowed = scene.reach.cards.get(own["name"])
    spent = local.armed.spent() if local.armed else None
    dragged = _dragged(scene)
    for place, face in enumerate(hand.faces):
        row, column = divmod(place, fan.per_row)
        hit = card_hit(place)
        marked = hand.marked[place]
        gone = place in dragged or (marked and local.pending is not None)
        if spent and spent[face] > 0:
            spent[face] -= 1
            gone = True
        look = Look(
            legal=allowed is not None and face in allowed,
            marked=marked,
            focus=local.focus == hit,
            fresh=hand.fresh[place],
            gone=gone,
        )
        x = left + column * fan.step
        y = top + row * (fan.size.high + 2) + (0 if marked else 1)
        paint_card(grid, x, y, face, scene.words, fan.size, look, hit)
        key = HAND_KEYS[place] if place < len(HAND_KEYS) else ""
        if hand.fresh[place]:
            key += "+"
        middle = fan.size.wide // 2 if fan.step >= fan.size.wide or column == fan.per_row - 1 else fan.step // 2
        grid.put(x + middle, top + row * (fan.size.high + 2) + fan.size.high + 1, key, "key", hit)


def _dragged(scene: Scene) -> frozenset[int]:
    """Return the places of the cards that are being dragged: the pressed card, with the marked ones if it is one of them."""
    drag = scene.local.drag
    if drag is None or not drag.moved or not drag.hit.startswith("card:"):
        return frozenset()
    return frozenset(dragged_places(scene.local.hand.marked, int(drag.hit[5:])))


def dragged_places(marked: list[bool], pressed: int) -> list[int]:
    """Return which cards a drag that began on one card takes along."""
    if pressed < len(marked) and marked[pressed]:
        return [place for place, one in enumerate(marked) if one]
    return [pressed]


def paint_ghost(scene: Scene) -> None:
    """Draw the dragged cards at the pointer; the hits below stay, so that the drop lands on what is there."""
    drag = scene.local.drag
    if drag is None or not drag.moved:
        return
    x, y = drag.at
    if drag.hit.startswith("card:"):
        faces = scene.local.hand.faces
        places = [place for place in dragged_places(scene.local.hand.marked, int(drag.hit[5:])) if place < len(faces)]
        for number, place in enumerate(places):
            paint_card(scene.grid, x - 2 + number * 4, y - 1, faces[place], scene.words, SMALL, Look(focus=False), None)
    elif drag.hit.startswith(("place:", "zone:")):
        face = _held_face(scene, drag.hit)
        if face:
            paint_card(scene.grid, x - 2, y - 1, face, scene.words, SMALL, Look(), None)


def _held_face(scene: Scene, hit: str) -> str:
    kind, _, rest = hit.partition(":")
    name, place = (rest, -1) if kind == "zone" else (rest.rpartition(":")[0], int(rest.rpartition(":")[2]))
    for zone in scene.view["zones"]:
        if zone["name"] == name and zone["kind"] not in ("group", "trick"):
            cards = zone["cards"]
            if cards:
                return str(cards[place] if -len(cards) <= place < len(cards) else "") or ""
            return "?" if zone["n"] else ""
    return ""


def gap_at(grid: Grid, count: int, dragged: int, x: int, y: int) -> int:
    """Return how many of the `count` cards of a hand lie before a point, the dragged one left out."""
    before = 0
    for place in range(count):
        found = grid.find(card_hit(place))
        if place == dragged or found is None:
            continue
        left, top, right, bottom = found
        if bottom < y or (top <= y and (left + right) / 2 < x):
            before += 1
    return before
