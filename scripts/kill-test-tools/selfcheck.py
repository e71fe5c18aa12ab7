"""Takes something away from a copy of the file, as a lost or halved change would, and sees that the checks say so."""

import json
import shutil
import sqlite3

from world import World


def edit(connection, kind, change, where="1"):
    """Changes the document of one record of a kind; False when there is none."""
    row = connection.execute(f"SELECT ordinal, document FROM records WHERE kind = ? AND {where} ORDER BY ordinal DESC", (kind,)).fetchone()
    if row is None:
        return False
    document = json.loads(row[1])
    document.update(change(document))
    connection.execute("UPDATE records SET document = ? WHERE ordinal = ?", (json.dumps(document), row[0]))
    return True


def run(sql):
    return lambda connection: connection.execute(sql).rowcount > 0


LAST = "(SELECT max(ordinal) FROM records WHERE kind = '{}')"
# An event of a token that waits no more is kept until its time and then does nothing: nothing is lost with it.
AWAITED = """(SELECT max(due.ordinal) FROM records due JOIN records token
    ON token.kind = 'token' AND token.tenant = due.tenant AND token.id = due.document ->> 'subject'
    WHERE due.kind = 'due' AND due.document ->> 'action' = 'expireToken' AND token.document ->> 'state' = 'inactive')"""
DAMAGE = {
    "a token is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("token")),
    "a device is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("device")),
    "an issuer is lost": run("DELETE FROM records WHERE ordinal = (SELECT max(ordinal) FROM records WHERE kind = 'issuer' AND id LIKE 'KT%')"),
    "a fault rule is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("fault")),
    "a spent code is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("jti")),
    "a callback is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("callback")),
    "a due event is lost": run("DELETE FROM records WHERE ordinal = " + AWAITED),
    "a tenant is lost, with all of its records": run("DELETE FROM records WHERE tenant = 'shared-1'"),
    "a tenant's record is lost": run("DELETE FROM records WHERE kind = 'tenant' AND tenant = 'shared-1'"),
    "a token's number is lost": run("DELETE FROM vault WHERE ordinal = (SELECT max(ordinal) FROM vault WHERE owner_kind = 'token')"),
    "a card's number is lost": run("DELETE FROM vault WHERE ordinal = (SELECT max(ordinal) FROM vault WHERE owner_kind = 'card')"),
    "a number has no owner": run("UPDATE vault SET owner_id = 'nobody' WHERE ordinal = (SELECT max(ordinal) FROM vault)"),
    "a snapshot is lost": run("DELETE FROM snapshots"),
    "a snapshot's numbers are lost": run("DELETE FROM vault WHERE tenant LIKE '%#%'"),
    "a token's keys are lost": run("DELETE FROM record_keys WHERE ordinal = " + LAST.format("token")),
    "a pass is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("pass")),
    "a pass's key is lost": run("DELETE FROM record_keys WHERE ordinal = " + LAST.format("pass")),
    "a change of a token is lost": run("DELETE FROM records WHERE ordinal = " + LAST.format("tokenChange")),
    "a token is as it was before its last change": lambda c: edit(
        c, "token", lambda d: {"changes": d["changes"] - 1}, "document ->> 'changes' > 1"
    ),
    "a session does not know its token": lambda c: edit(c, "session", lambda _: {"tokenId": None}, "document ->> 'tokenId' IS NOT NULL"),
    "a tenant is as it was before its last change": lambda c: edit(
        c, "tenant", lambda d: {"strictness": "strict" if d["strictness"] != "strict" else "lenient"}, "tenant LIKE 'own-%'"
    ),
    "a tenant counts its changes from the beginning": lambda c: edit(c, "tenant", lambda _: {"sequence": 0}),
    "a card's state is lost": lambda c: edit(c, "card", lambda d: {"state": "other"}, "id LIKE '%/cards-%'"),
}


def blind(path, folder, check):
    """The kinds of damage that the checks do not see, and those that could not be done because there was no such thing;
    `check` gives the problems of a file's world."""
    copy = folder / "damaged.db"
    missed, undone = [], []
    for name, damage in DAMAGE.items():
        shutil.copyfile(path, copy)
        connection = sqlite3.connect(copy)
        done = damage(connection)
        connection.commit()
        connection.close()
        if not done:
            undone.append(name)
        elif not check(World(copy)):
            missed.append(name)
        for suffix in ("", "-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    return missed, undone
