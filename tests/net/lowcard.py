"""A game in one file for tests that write it, change it and load it anew: everybody lays a card, the lowest gets a point."""

SOURCE = '''
from carteado.core.api import OPEN, OWNER, C, Deck, Form, Game, IllegalAction, P, Pick, Result, hookimpl

LOOKS = {"suits": {"R": {"glyph": "o", "ascii": "r", "color": "red", "name": "suit.R"}}, "faces": {}, "ranks": {}}


class LowCard(Game):
    name, version, title = "low-card", "1", "Low Card"
    seats = (2, 4)
    deck = Deck([f"R{rank}" for rank in range(1, 9)], LOOKS)

    def words(self, lang):
        return {"lc.lay": "Lay", "lc.laid": "{who} lays {card}", "suit.R": "red"}

    @hookimpl
    def deal(self, table):
        table.create("stock", "pile", cards=self.deck.cards)
        table.shuffle("stock")
        table.create("laid", "row", see=OPEN)
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
            table.move("stock", f"hand/{seat}", n=2)
        table.ask(table.start, "lay")

    @hookimpl
    def options(self, table, seat):
        return [Form("lay", label=["lc.lay", {}], default=True, cards=Pick(f"hand/{seat}"))]

    @hookimpl
    def turn(self, table, seat, action):
        table.move(f"hand/{seat}", "laid", cards=action["cards"])
        table.say("lc.laid", who=P(seat), card=C(action["cards"][0]))
        #EXTRA
        if len(table.cards("laid")) < len(table.seats):
            table.ask(table.next(seat), "lay")

    @hookimpl
    def scoring(self, table):
        laid = table.cards("laid")
        if len(laid) < len(table.seats):
            return None
        winner = table.next(table.start, laid.index(min(laid)))
        return Result({winner: 1}, over=table.hand >= 3)


game = LowCard
'''
