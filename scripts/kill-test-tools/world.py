"""What stands in the store's file: its records, numbers and snapshots, and the rules between them.

It is read with SQLite itself, beside the running server, so that nothing of the server's own code vouches for it.
"""

import collections
import json
import sqlite3

# How many callbacks a tenant keeps (Sources/Core/Callbacks/Callback.swift).
CALLBACKS = 1_000
# How many keys a record of a kind has; the rest have none, or as many as they need.
KEYS = {"token": 3, "pass": 1, "tokenChange": 0, "card": 3, "session": 1, "consumer": 1}


class World:
    def __init__(self, path):
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            self.integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            self.foreign = connection.execute("PRAGMA foreign_key_check").fetchall()
            connection.execute("BEGIN")
            records = connection.execute("SELECT tenant, kind, id, document, ordinal FROM records").fetchall()
            self.keys = dict(connection.execute("SELECT ordinal, count(*) FROM record_keys GROUP BY ordinal"))
            numbers = connection.execute("SELECT tenant, owner_kind, owner_id, number FROM vault").fetchall()
            self.snapshots = {
                (tenant, id): (count, content)
                for tenant, id, count, content in connection.execute("SELECT tenant, id, records, content FROM snapshots")
            }
        finally:
            connection.close()
        self.places, self.kinds, self.ordinals = {}, collections.defaultdict(list), {}
        for tenant, kind, id, document, ordinal in records:
            place = (tenant, kind, id)
            self.places[place] = json.loads(document)
            self.kinds[tenant, kind].append(place)
            self.ordinals[place] = ordinal
        self.numbers = collections.defaultdict(dict)
        for tenant, kind, id, number in numbers:
            self.numbers[tenant][kind, id] = number
            self.places[tenant, "number:" + kind, id] = {"number": number}
        for (tenant, id), (count, _) in self.snapshots.items():
            self.places[tenant, "snapshot", id] = {"tenant": tenant, "id": id, "records": count}
        self.tenants = {tenant for tenant, kind in self.kinds}

    def get(self, place):
        """A record's document; `#count` is how many of a kind a tenant has."""
        tenant, kind, id = place
        if kind == "#count":
            return {"count": len(self.kinds.get((tenant, id), []))}
        return self.places.get(place)

    def find(self, tenant, kind, members):
        """Places and documents of those that have the members."""
        if kind == "snapshot":
            places = [(tenant, "snapshot", id) for name, id in self.snapshots if name == tenant]
        else:
            places = self.kinds.get((tenant, kind), [])
        found = [(place, self.places[place]) for place in places]
        return [(place, document) for place, document in found if all(document.get(name) == value for name, value in members.items())]

    def records(self, tenant, kind):
        return {place[2]: self.places[place] for place in self.kinds.get((tenant, kind), [])}

    # Rules

    def problems(self):
        """Everything that a world must not be, whoever wrote it."""
        found = [f"integrity_check: {line}" for line in self.integrity if line != "ok"]
        found += [f"foreign_key_check: {row}" for row in self.foreign]
        for tenant in sorted(self.tenants):
            found += [f"{tenant}: {line}" for line in self.tenant_problems(tenant)]
        for tenant in self.numbers:
            if "#" not in tenant and tenant not in self.tenants:
                found.append(f"numbers of the tenant {tenant}, which there is not")
        for (tenant, id), (count, content) in self.snapshots.items():
            found += self.snapshot_problems(tenant, id, count, content)
        owners = {f"{tenant}#{id}" for tenant, id in self.snapshots}
        found += [f"numbers of the snapshot {name}, which there is not" for name in self.numbers if "#" in name and name not in owners]
        return found

    def tenant_problems(self, tenant):
        head = self.places.get((tenant, "tenant", "tenant"))
        if head is None:
            yield "records without a tenant"
            return
        kinds = ("issuer", "card", "token", "pass", "tokenChange", "device", "session", "due")
        records = {kind: self.records(tenant, kind) for kind in kinds}
        yield from owners(records["card"], records["token"], self.numbers.get(tenant, {}), head["sequence"])
        yield from references(records)
        for kind, count in KEYS.items():
            for place in self.kinds.get((tenant, kind), []):
                if self.keys.get(self.ordinals[place], 0) != count:
                    yield f"{kind} {place[2]} has {self.keys.get(self.ordinals[place], 0)} keys of {count}"
        uses = [card["lastUse"] for card in records["card"].values()] + [due["order"] for due in records["due"].values()]
        uses += [rule["order"] for rule in self.records(tenant, "fault").values()]
        if len(uses) != len(set(uses)) or max(uses, default=0) > head["sequence"]:
            yield f"the change counter {head['sequence']} was given twice, or is behind {max(uses, default=0)}"
        times = [due["at"] for due in records["due"].values()]
        if head.get("nextDueAt") != (min(times) if times else None):
            yield f"nextDueAt is {head.get('nextDueAt')}, of {len(times)} events"
        callbacks = self.records(tenant, "callback")
        count = self.records(tenant, "callbackCounter").get("callbackCounter", {"count": 0})["count"]
        if set(callbacks) != {f"cb-{number}" for number in range(max(1, count - CALLBACKS + 1), count + 1)}:
            yield f"{len(callbacks)} callbacks, and the counter is {count}"

    def snapshot_problems(self, tenant, id, count, content):
        if tenant not in self.tenants:
            yield f"a snapshot of the tenant {tenant}, which there is not"
        rows = json.loads(content)
        if len(rows) != count:
            yield f"snapshot {tenant}#{id} has {len(rows)} records of {count}"
        kinds = collections.defaultdict(dict)
        for kind, record, _, document in rows:
            kinds[kind][record] = document
        numbers = self.numbers.get(f"{tenant}#{id}", {})
        for line in owners(kinds["card"], kinds["token"], numbers, kinds["tenant"]["tenant"]["sequence"]):
            yield f"snapshot {tenant}#{id}: {line}"


def owners(cards, tokens, numbers, sequence):
    """Every card and token has its number, and every number its owner."""
    for kind, records in (("card", cards), ("token", tokens)):
        for id, document in records.items():
            number = numbers.get((kind, id))
            suffix = document["panSuffix" if kind == "card" else "suffix"]
            if number is None:
                yield f"{kind} {id} has no number"
            elif not number.endswith(suffix):
                yield f"{kind} {id} has another number than it says"
    for kind, id in numbers:
        if kind == "retired":
            count = id.rpartition("/")[2]
            if not count.isdigit() or int(count) > sequence:
                yield f"a retired number of a change that was not made: {id}"
        elif id not in (cards if kind == "card" else tokens):
            yield f"a number of the {kind} {id}, which there is not"


def references(records):
    issuers, cards, tokens, devices, sessions = (records[kind] for kind in ("issuer", "card", "token", "device", "session"))
    passes, changes = records["pass"], records["tokenChange"]
    for id, card in cards.items():
        if card["issuerId"] not in issuers:
            yield f"card {id} of an issuer that there is not"
    used = {session["nonce"] for session in sessions.values() if session["tokenId"]}
    waiting = {due["subject"] for due in records["due"].values() if due["action"] == "expireToken"}
    for id, token in tokens.items():
        if f"{token['issuerId']}/{token['cardReference']}" not in cards:
            yield f"token {id} of a card that there is not"
        if token["state"] != "deleted" and token["deviceId"] not in devices:
            yield f"token {id} on a device that there is not"
        shown = passes.get(id)
        if shown is None:
            yield f"token {id} has no pass"
        elif shown["sessionNonce"] and shown["sessionNonce"] not in used:
            yield f"token {id}: its session is not used"
        if token["state"] == "inactive" and id not in waiting:
            yield f"token {id} waits for activation and nothing will end that"
        last = changes.get(f"{id}/{token['changes']}")
        if last is None or last["to"] != token["state"]:
            yield f"token {id}: its state is not the last of its history"
    for id in passes:
        if id not in tokens:
            yield f"a pass of the token {id}, which there is not"
    counts = collections.Counter(change["tokenId"] for change in changes.values())
    for id in counts.keys() | tokens.keys():
        if id not in tokens or counts[id] != tokens[id]["changes"]:
            yield f"{counts[id]} changes of the token {id}"
    for id, session in sessions.items():
        if session["tokenId"] and session["tokenId"] not in tokens:
            yield f"session {id} of a token that there is not"
