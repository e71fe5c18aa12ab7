"""Writers with tenants of their own: whole worlds are made, moved, kept, rewound, copied and removed."""

import datetime

from facts import Change
from writers import BANK, WALLET, Writer

MARK = "KILLTEST00.com.mark"
START = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)


class Owner(Writer):
    """A tenant whose every record is known: a mark, some devices, a token that waits, and settings.

    `state` is what the tenant holds; each change gives a new one, whose facts replace the old.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.tenant = f"own-{self.index}"
        self.states = {}
        self.kept = {}

    # What a tenant holds, as facts

    def facts(self, tenant, state):
        """`state` is None for a tenant that is not there."""
        place = lambda kind, id: (tenant, kind, id)
        if state is None:
            gone = {key: None for key in self.book.facts if key[0] == tenant and key[1] != "#count"}
            return {**gone, **{place("#count", kind): {"count": 0} for kind in ("tenant", "issuer", "card", "device", "token")}}
        facts = {key: None for key in self.book.facts if key[0] == tenant and key[1] in ("token", "number:token")}
        facts[place("tenant", "tenant")] = {"strictness": state["strictness"], **state["clock"]}
        facts[place("application", MARK)] = {"storeIdentifier": state["mark"]} if state["mark"] else None
        for id in state["tokens"]:
            # It ends after thirty days, and the clock may be moved so far.
            facts[place("token", id)] = {"state": ("inactive", "deleted")}
        for kind, count in (("device", state["devices"]), ("token", len(state["tokens"])), ("issuer", 2), ("card", 6)):
            facts[place("#count", kind)] = {"count": count}
        facts[place("#count", "tenant")] = {"count": 1}
        return facts

    def new_state(self, **members):
        return {"strictness": "documented", "clock": {"clockOffset": 0}, "mark": None, "devices": 0, "tokens": (), **members}

    async def become(self, what, state, method, path, body=None, tenant=None, sender=None):
        """A change of a tenant from one state to another. It counts when the answer has come; without one the file
        decides, see `settle`. `sender` is the tenant that the request names, if it is another."""
        tenant = tenant or self.tenant
        change = self.always(what, self.facts(tenant, state))
        change.state = (tenant, state)
        await self.change(change, "control", method, path, body, sender or tenant)
        self.states[tenant] = state

    def settle(self, change, fate):
        """What became of the change that was open when the server was killed."""
        if fate == "whole" and hasattr(change, "state"):
            tenant, state = change.state
            self.states[tenant] = state
        if fate == "whole" and hasattr(change, "dropped"):
            self.kept.pop(change.dropped, None)

    @property
    def state(self):
        return self.states.get(self.tenant)

    def with_(self, **members):
        return {**self.state, **members}

    # What it does

    async def work(self):
        path = f"/v1/tenants/{self.tenant}"
        if self.state is None:
            # A removed tenant's snapshots went with it.
            self.kept.clear()
            state = self.new_state(strictness=self.draws.choice(("lenient", "documented")))
            body = {"name": self.tenant, "strictness": state["strictness"]}
            await self.become("make a tenant", state, "POST", "/v1/tenants", body, sender="default")
            return
        steps = (
            self.mark, self.mark, self.device, self.token, self.settings, self.set_clock, self.advance_clock,
            self.snapshot, self.restore, self.restore, self.transfer, self.reset, self.fork, self.remove,
        )
        await self.draws.choice(steps)(path)

    async def mark(self, path, text=None):
        # A store id is digits.
        text = text or f"{self.index}{self.round:06}"
        body = {"issuerId": BANK, "storeIdentifier": text}
        await self.become("put a mark", self.with_(mark=text), "PUT", f"/v1/applications/{MARK}", body)

    async def device(self, path):
        name = f"{self.name} {self.round}"
        state = self.with_(devices=self.state["devices"] + 1)
        change = Change("make a device", lambda _: self.facts(self.tenant, state), (self.tenant, "device", {"name": name}))
        change.state = (self.tenant, state)
        await self.change(change, "api", "POST", WALLET + "/devices", {"kind": "phone", "name": name})
        self.states[self.tenant] = state

    async def token(self, path):
        """One that waits, so that an event is planned with it."""
        _, devices = await self.get("api", WALLET + "/devices")
        _, tokens = await self.get("control", "/v1/tokens")
        used = {token["deviceId"] for token in tokens["items"] if token["state"] != "deleted"}
        free = [device["deviceId"] for device in devices["items"] if device["deviceId"] not in used]
        if not free:
            return await self.device(path)
        id = f"{self.name}.{self.round}"
        body = {"issuerCardRefId": "card-visa", "issuerId": BANK, "deviceId": free[0], "tokenId": id, "state": "inactive"}
        await self.become("make a token", self.with_(tokens=(*self.state["tokens"], id)), "POST", "/v1/tokens", body)

    async def settings(self, path):
        other = "lenient" if self.state["strictness"] != "lenient" else "strict"
        await self.become("change settings", self.with_(strictness=other), "PATCH", path, {"strictness": other})

    async def set_clock(self, path):
        if "clockFrozen" in self.state["clock"]:
            # To the system's time, which may be a step back: what has happened stays.
            return await self.become("let the clock run", self.with_(clock={"clockOffset": 0}), "PUT", "/v1/clock", {"mode": "system"})
        time = START + datetime.timedelta(days=self.round % 900)
        body = {"mode": "frozen", "now": time.strftime("%Y-%m-%dT%H:%M:%SZ")}
        state = self.with_(clock={"clockFrozen": int(time.timestamp()) * 1000})
        await self.become("set the clock", state, "PUT", "/v1/clock", body)

    async def advance_clock(self, path):
        """Tokens that waited end on the way, each at its own time."""
        clock = {name: value + 31 * 86_400_000 for name, value in self.state["clock"].items()}
        await self.become("advance the clock", self.with_(clock=clock), "POST", "/v1/clock/advance", {"seconds": 31 * 86_400})

    async def snapshot(self, path):
        if len(self.kept) >= 3:
            id = next(iter(self.kept))
            change = self.always("remove a snapshot", {self.place("snapshot", id): None})
            change.dropped = id
            await self.change(change, "control", "DELETE", f"/v1/snapshots/{id}")
            del self.kept[id]
        state = self.state
        made = lambda document: {self.place("snapshot", document["id"]): {"id": document["id"]}}
        change = Change("take a snapshot", made, (self.tenant, "snapshot", {"tenant": self.tenant}))
        # One whose answer did not come stays, but is not restored: which world it has is not looked into.
        self.kept[(await self.change(change, "control", "POST", "/v1/snapshots"))["id"]] = state

    async def restore(self, path):
        if not self.kept:
            return
        id = self.draws.choice(list(self.kept))
        await self.become("restore a snapshot", self.kept[id], "POST", f"/v1/snapshots/{id}/restore")

    async def transfer(self, path):
        """An export, a change, and the import that takes it back."""
        _, world = await self.get("control", "/v1/export")
        state = self.state
        await self.mark(path, "999999999999")
        await self.become("import a world", state, "POST", "/v1/import", world)

    async def reset(self, path):
        # Settings and clock go back as well.
        await self.become("reset", self.new_state(), "POST", path + "/reset")

    async def fork(self, path):
        copy = self.tenant + "-copy"
        if self.states.get(copy) is None:
            await self.become("fork", self.state, "POST", path + "/fork", {"as": copy}, copy, self.tenant)
        else:
            await self.become("remove a tenant", None, "DELETE", f"/v1/tenants/{copy}", None, copy, "default")

    async def remove(self, path):
        await self.become("remove a tenant", None, "DELETE", path, sender="default")

    async def look(self):
        for tenant, state in self.states.items():
            status, answer = await self.get("control", f"/v1/tenants/{tenant}", tenant="default")
            seen = answer["strictness"] if status == 200 else None
            self.expect(f"tenant {tenant}", seen, state and state["strictness"])
