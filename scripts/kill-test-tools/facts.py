"""What a writer knows: what it was answered, and what it has asked and was not answered.

A fact is a place in the store, (tenant, kind, id), and what its document holds there: a dict of members, of which a
tuple stands for any of its values; None for a record that is not there. A writer asks for one change at a time, so the
store must hold the facts as they were answered, or as the one open change makes them, all of its records together.
"""


class Unexpected(Exception):
    """An answer that the writer's own rules do not allow: a mistake in the server or in this program."""


class Change:
    """A change that was asked.

    `after` gives the facts it makes, from the answer or from the stored document of the record that it creates; `fresh`
    says how to find that record, as its id is in the answer only: (tenant, kind, members).
    """

    def __init__(self, what, after, fresh=None):
        self.what, self.after, self.fresh = what, after, fresh


def holds(fact, document):
    if fact is None or document is None:
        return fact is None and document is None
    return all(
        document.get(name) in value if isinstance(value, tuple) else document.get(name) == value
        for name, value in fact.items()
    )


class Book:
    """One writer's facts."""

    def __init__(self, name):
        self.name = name
        self.facts = {}
        self.open = None

    def ask(self, change):
        self.open = change

    def answered(self, answer):
        self.facts.update(self.open.after(answer))
        self.open = None

    def refused(self):
        """The answer said that nothing was changed."""
        self.open = None

    def check(self, world):
        """Compares with the store. Gives the problems and what became of the open change: None, "whole" or "absent"."""
        change, self.open = self.open, None
        as_answered = self.mismatches(self.facts, world)
        if change is None:
            return as_answered, None
        found = world.find(*change.fresh) if change.fresh else []
        created = [document for place, document in found if self.facts.get(place) is None]
        if len(created) > 1:
            return [f"{self.name}: {change.what}: made {len(created)} times"], None
        if not as_answered and not created:
            if not change.fresh and self.is_known(change, world):
                return [], "whole"
            return [], "absent"
        if change.fresh and not created:
            return as_answered, None
        facts = {**self.facts, **change.after(created[0] if created else None)}
        as_asked = self.mismatches(facts, world)
        if as_asked:
            half = f"{self.name}: {change.what} is there by half"
            return [half, *(f"  as answered: {line}" for line in as_answered), *(f"  as asked: {line}" for line in as_asked)], None
        self.facts = facts
        return [], "whole"

    def is_known(self, change, world):
        """Whether a change that alters nothing of what is known was made: then both sides hold."""
        facts = {**self.facts, **change.after(None)}
        if self.mismatches(facts, world):
            return False
        self.facts = facts
        return True

    def mismatches(self, facts, world):
        return [
            f"{self.name}: {'/'.join(place)} should be {fact}, is {summary(world.get(place), fact)}"
            for place, fact in facts.items()
            if not holds(fact, world.get(place))
        ]


def summary(document, fact):
    if document is None:
        return "missing"
    return {name: document.get(name) for name in fact} if fact else "there"
