"""The figures of a run: what each round gave, the medians, the table, the file."""

import json
import os
import statistics


class Figures:
    """Figures by name, one value for each round, and the rows of the table in the order in which they first came."""

    def __init__(self):
        self.values, self.rows = {}, {}

    def note(self, name, value):
        self.values.setdefault(name, []).append(value)

    def median(self, name):
        values = self.values.get(name)
        return statistics.median(values) if values else None

    def row(self, heads, label, left, right, ratio, goal):
        """A row of the table: names of figures below `heads`, the names of the two sides; the goal is of the ratio, or of the
        right side where there is no ratio: a way, a number and, with a third, the floor."""
        self.rows.setdefault((left, right), (heads, label, ratio, goal))

    def compare(self, name, label, left, right, heads=("bare", "sandbox"), rate=None, cpu=None, p99=None):
        """The results of two sides in one round: rates, processor time of a request, and their ratios. `rate`, `cpu` and `p99`
        are goals of the ratios; p99 is told for a side that has it."""
        sides = {heads[0]: left, heads[1]: right}
        for side, result in sides.items():
            for figure in ("requestsPerSecond", "cpuMicroseconds", "p99Microseconds"):
                if result.get(figure) is not None:
                    self.note(f"{name}.{side}.{figure}", result[figure])
        for figure, unit, goal in (("requestsPerSecond", "/s", rate), ("cpuMicroseconds", "CPU each, us", cpu), ("p99Microseconds", "p99, us", p99)):
            if left.get(figure) is None and right.get(figure) is None:
                continue
            if left.get(figure) and right.get(figure) is not None:
                self.note(f"{name}.{figure}.ratio", right[figure] / left[figure])
            text = f"{label}, {unit}" if figure == "requestsPerSecond" else f"  {unit}"
            self.row(heads, text, *(f"{name}.{side}.{figure}" for side in heads), f"{name}.{figure}.ratio", goal)

    def single(self, name, label, value, goal=None):
        self.note(name, value)
        self.row(("", "sandbox"), label, None, name, None, goal)

    # Telling

    def table(self):
        groups = {}
        for (left, right), (heads, *row) in self.rows.items():
            groups.setdefault(heads, []).append((left, right, *row))
        lines = []
        for heads, rows in groups.items():
            lines.append(line("", *heads, "ratio" if heads[0] else "", ""))
            for left, right, label, ratio, goal in rows:
                values = [self.median(name) if name else None for name in (left, right, ratio)]
                lines.append(line(label, *map(number, values), verdict(values[2] if ratio else values[1], goal)))
        return "\n".join(lines)

    def document(self, **settings):
        """JSON of everything: the settings, the medians, and every round."""
        medians = {name: self.median(name) for name in sorted(self.values)}
        machine = {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
        return json.dumps({**settings, **machine, "medians": medians, "all": dict(sorted(self.values.items()))}, indent=1)


def line(label, left, right, ratio, end):
    return f"{label:<46} {left:>11} {right:>11} {ratio:>7}  {end}".rstrip()


def number(value):
    if value is None:
        return ""
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def verdict(value, goal):
    if value is None or goal is None:
        return ""
    way, wanted, *floor = goal
    met = value >= wanted if way == ">=" else value <= wanted
    bound = f"{way} {wanted}" + (f", at least {floor[0]}" if floor and way == ">=" else f", at most {floor[0]}" if floor else "")
    return f"goal {'met' if met else 'not met'} ({bound})"
