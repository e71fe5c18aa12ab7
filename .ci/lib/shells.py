"""Completion, asked of the shells themselves."""

import os
import pty
import select
import subprocess
import time

# What is typed, and the words that bash offers then.
OFFERED = {
    ("s",): "serve seal sign",
    ("serve", "--tenant"): "--tenants --tenant-idle",
    ("serve", "--tenants", "e"): "explicit",
    ("serve", "--tenants", "=", "e"): "explicit",
    ("serve", "--port", ""): "",
    ("sign", "ta"): "tav",
    ("check", "--keys", "Sour"): "Sources",
    ("check", "--tls-cert", "READ"): "README.md",
    ("completion", ""): "bash zsh --help",
}


def complete(check, unpacked):
    script = unpacked / "share/bash-completion/completions/tsp-sandbox"
    wrong = []
    for words, wanted in OFFERED.items():
        # The function as bash calls it.
        asked = subprocess.run(
            ["bash", "-c", 'source "$1"; shift; COMP_WORDS=(tsp-sandbox "$@"); COMP_CWORD=$#; _tsp_sandbox; echo "${COMPREPLY[*]}"',
             "bash", script, *words],
            capture_output=True, text=True,
        )
        if asked.stdout.strip() != wanted or asked.stderr:
            wrong.append(f"{' '.join(words)}: {asked.stdout.strip()} {asked.stderr.strip()}")
    check("bash completes commands, words, options, values, files and folders", wrong == [], wrong)
    seen = zsh(unpacked / "share/zsh/site-functions", b"tsp-sandbox ser\t--tenants\tex\t")
    check("zsh completes a command, an option and its value", "= tsp-sandbox serve --tenants=explicit" in seen, seen[-300:])


def zsh(folder, typed):
    """What is on zsh's terminal after keys were pressed, and the line was printed in place of being run."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": "/nowhere"})
    os.write(terminal, f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\n".encode())
    until(terminal, b"\nready")
    os.write(terminal, typed)
    # The keys of one reading are one paste; a line is begun anew only when all were taken.
    until(terminal, b"explicit")
    os.write(terminal, b"\x01print -r -- = \n")
    seen = until(terminal, b"\n= ")
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(process, 0)
    return seen


def until(terminal, wanted, seconds=20):
    seen, end = b"", time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 4096)
    # And the rest of that line.
    while select.select([terminal], [], [], 0.5)[0]:
        seen += os.read(terminal, 4096)
    return seen.decode("utf-8", "replace")
