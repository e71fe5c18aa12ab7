"""What a script runs in: its packages from PyPI, its program, the folder."""

import os
import pathlib
import subprocess
import sys

from sandbox import ROOT


def enter(name, packages, debian=()):
    """Runs the script again with the Python of .build/NAME, which is made when it is missing or has other packages."""
    folder = ROOT / ".build" / name
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    if debian:
        subprocess.run([ROOT / "scripts/install-packages", *debian], check=True)
    python, stamp = folder / "bin" / "python", folder / "complete"
    wanted = "\n".join(packages)
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.write_text(wanted)
    os.execv(python, [str(python), *sys.argv])


def program(default=".build/release/tsp-sandbox"):
    """The program that the script was given, or the one that is built; works in the repository's folder from here on."""
    given = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    os.chdir(ROOT)
    return str(given or ROOT / default)
