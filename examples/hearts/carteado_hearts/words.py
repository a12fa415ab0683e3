"""The English words of Hearts."""

SUITS = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}

WORDS: dict[str, str | list[str]] = {
    "form.pass": "Pass cards",
    "form.play": "Play",
    "hearts.ask.pass.left": "Choose three cards to pass to the left.",
    "hearts.ask.pass.right": "Choose three cards to pass to the right.",
    "hearts.ask.pass.across": "Choose three cards to pass across the table.",
    "hearts.ask.lead": "You lead: play a card.",
    "hearts.passed": "{who} passed three cards to {to}.",
    "hearts.passed.you": "You passed three cards to {to}.",
    "hearts.got": "{who} passed you {cards}.",
    "hearts.played": "{who}: {card}",
    "hearts.took": ["{who} takes the trick, {n} point.", "{who} takes the trick, {n} points."],
    "hearts.took.you": ["You take the trick, {n} point.", "You take the trick, {n} points."],
    "hearts.badge": ["{n} point taken", "{n} points taken"],
    "hearts.moon": "{who} took all 26 points: the others get them.",
    "hearts.moon.you": "You took all 26 points: the others get them.",
    "hearts.sheet": "Points of this hand",
    "hearts.line": "{who}: {n}, in all {total}",
    "hearts.sort": "by suit",
    "two_of_clubs_leads": "The two of clubs leads the first trick.",
    "no_points_yet": "No hearts and no queen of spades in the first trick.",
    "hearts_not_broken": "Hearts cannot be led yet.",
    "zone.won": "Tricks won",
    "option.target": "Points that end the match",
}
for _suit, _name in SUITS.items():
    WORDS[f"follow_{_suit}"] = f"You must follow {_name}."
    WORDS[f"hearts.ask.{_suit}"] = f"Play a card; {_name} were led."

RULES = """# Hearts

Four players, thirteen cards each. **Avoid points**: every heart costs 1, the queen of spades 13.

<!-- stages: pass -->
## Passing
First choose three cards to pass: in the first hand to the left, in the second to the right, in the third across; in the fourth nobody
passes; then it begins anew. Everybody chooses at once, unseen.

<!-- stages: play -->
## Play
The two of clubs leads. Follow the suit led if you can. The highest card of that suit takes the trick and leads the next. No points may
be played in the first trick, and hearts may not be led before one was thrown, unless you hold nothing else.

## The end
Who takes all 26 points gets none, and everybody else 26. When somebody reaches the target the fewest points win.
"""
