"""Counting checks: the last line of a script is `N passed, N failed`, which .ci/run reads."""


class Checks:
    """Prints each check and counts it. `tells` prints what was seen of a good one, too."""

    def __init__(self, tells=False):
        self.passed = self.failed = 0
        self.tells = tells

    def section(self, title):
        print(f"\n{title}", flush=True)

    def __call__(self, name, good, seen=""):
        """`seen` is what a failed check tells of: one text, or a list of lines."""
        if good:
            self.passed += 1
            print(f"ok   {name}  {seen}".rstrip() if self.tells else f"ok   {name}", flush=True)
        else:
            self.failed += 1
            lines = seen if isinstance(seen, list) else []
            print(f"FAIL {name}  {'' if lines else seen}".rstrip(), flush=True)
            for line in lines:
                print(f"     {line}", flush=True)
        return bool(good)

    def finish(self):
        """Prints the count; gives the exit code. Nothing checked is a failure."""
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.failed == 0 and self.passed > 0 else 1
