# SPDX-License-Identifier: Apache-2.0
"""What ``APP --fisk-introspect`` prints, and running it.

agent-config.md, "Tools of a fisk application".
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, cast

import msgspec

from tenuto.agent.tools.command import LINGER, ended
from tenuto.agent.tree import unusable_config
from tenuto.errors import ConfigError
from tenuto.sentences import Sentence, others_words, reason_of, sentence

MAX_BYTES = 16 * 1024 * 1024
#: Seconds.
TIMEOUT = 30.0
_STDERR_SHOWN = 500
_POLL = 0.005
#: Between two looks at whether it ended while its output stays open.
_LOOK = 0.1


class Flag(msgspec.Struct, frozen=True):
    name: str
    help: str | None = None
    default: tuple[str | None, ...] | None = None
    required: bool | None = None
    hidden: bool | None = None
    boolean: bool | None = None
    negatable: bool | None = None
    cumulative: bool | None = None
    completions: tuple[str, ...] | None = None


class Argument(msgspec.Struct, frozen=True):
    name: str
    default: tuple[str | None, ...] | None = None
    cumulative: bool | None = None


class Command(msgspec.Struct, frozen=True):
    name: str
    help: str | None = None
    help_long: str | None = None
    hidden: bool | None = None
    tags: tuple[str, ...] | None = None
    commands: tuple[Command, ...] | None = None
    flags: tuple[Flag, ...] | None = None
    args: tuple[Argument, ...] | None = None
    #: Empty where there is none.
    restricted_schema: msgspec.Raw = msgspec.Raw(b"")


class Model(msgspec.Struct, frozen=True):
    name: str | None = None
    commands: tuple[Command, ...] | None = None
    flags: tuple[Flag, ...] | None = None


@dataclass(frozen=True)
class Application:
    """An application's document, raw and read."""

    #: Absolute path of the program; "" for a document that came without one.
    program: str
    raw: bytes
    model: Model

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Command]]:
        """Paths and commands that can be tools, as printed, depth first."""
        yield from _leaves(self.model.commands or (), ())


def _leaves(
    commands: tuple[Command, ...], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Command]]:
    for command in commands:
        if command.hidden:
            continue
        here = (*path, command.name)
        if command.commands:
            yield from _leaves(command.commands, here)
        else:
            yield here, command


@lru_cache(maxsize=8)
def decode(raw: bytes, program: str = "") -> Application:
    """Read a document. Raises ConfigError."""
    try:
        model = msgspec.json.decode(raw, type=Model)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        text = str(error)
        reason = others_words(text) if text else sentence("nested too deeply")
        raise _error(
            program, sentence("printed no usable introspection document: {reason}", reason=reason)
        ) from None
    return Application(program, raw, model)


def find_program(name: str, directory: str, path: str | None = None) -> str:
    """The absolute path of an application: a bare name from PATH, else from ``directory``.

    Raises ConfigError.
    """
    if os.sep in name or (os.altsep and os.altsep in name):
        found = os.path.abspath(os.path.join(directory, os.path.expanduser(name)))
        if not os.path.exists(found):
            raise _error(name, sentence("is not there ({found})", found=found))
    else:
        located = shutil.which(name, path=path)
        if located is None:
            raise _error(name, sentence("is not found on PATH"))
        found = os.path.abspath(located)
    if os.path.isdir(found) or not os.access(found, os.X_OK):
        raise _error(name, sentence("is not a program that can be run ({found})", found=found))
    return found


def run(program: str, environment: Mapping[str, str], *, timeout: float = TIMEOUT) -> Application:
    """Ask ``program`` for its document. Raises ConfigError.

    ``timeout`` in seconds. It runs in a session of its own with stdin closed, and whatever it
    started is ended with it.
    """
    try:
        process = subprocess.Popen(
            [program, "--fisk-introspect"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            close_fds=True,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise _error(program, sentence("cannot be started: {reason}", reason=reason)) from None
    try:
        stdout, stderr = _collect(process, program, timeout)
    finally:
        _end(process)
    if process.returncode != 0:
        words = " ".join(stderr.decode("utf-8", "replace").split())[-_STDERR_SHOWN:]
        how = sentence("exit code {code}", code=process.returncode)
        if process.returncode < 0:
            how = sentence("signal {number}", number=-process.returncode)
        failed = sentence("--fisk-introspect failed with {how}", how=how)
        if words:
            failed = sentence(
                "--fisk-introspect failed with {how}: {words}", how=how, words=others_words(words)
            )
        raise _error(program, failed)
    return decode(stdout, program)


def _collect(process: subprocess.Popen[bytes], program: str, timeout: float) -> tuple[bytes, bytes]:
    """Both outputs, bounded in size and time."""
    stdout, stderr = cast("IO[bytes]", process.stdout), cast("IO[bytes]", process.stderr)
    outputs = {stdout: bytearray(), stderr: bytearray()}
    deadline = time.monotonic() + timeout
    last_look: float | None = None
    with selectors.DefaultSelector() as selector:
        for pipe in outputs:
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
        # Only the document's end is waited for: a child left behind may keep stderr open.
        while any(key.fileobj is stdout for key in selector.get_map().values()):
            now = time.monotonic()
            if now >= deadline:
                raise _error(
                    program,
                    sentence(
                        "did not answer --fisk-introspect in {timeout} s", timeout=f"{timeout:g}"
                    ),
                )
            if last_look is not None and now >= last_look:
                break
            # A child left behind may keep stdout open, too: what the program itself wrote is in
            # the pipe when it ends.
            if last_look is None and ended(process):
                last_look = now + LINGER
            for key, _ in selector.select(min(_LOOK, deadline - now)):
                pipe = stdout if key.fileobj is stdout else stderr
                data = os.read(key.fd, 65536)
                if not data:
                    selector.unregister(pipe)
                elif pipe is stdout:
                    outputs[pipe] += data
                    if len(outputs[pipe]) > MAX_BYTES:
                        limit = MAX_BYTES // 2**20
                        raise _error(
                            program,
                            sentence("printed more than {limit} MiB of introspection", limit=limit),
                        )
                else:
                    outputs[pipe] = (outputs[pipe] + data)[-4 * _STDERR_SHOWN :]
    while not ended(process):
        if time.monotonic() >= deadline:
            raise _error(program, sentence("did not end in {timeout} s", timeout=f"{timeout:g}"))
        time.sleep(_POLL)
    return bytes(outputs[stdout]), bytes(outputs[stderr])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and everything in its group."""
    if process.stdout is not None:
        process.stdout.close()
    if process.stderr is not None:
        process.stderr.close()
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _error(application: str, reason: Sentence) -> ConfigError:
    """``reason``: goes on behind the name of the application."""
    text = sentence(
        "the application {name} {reason}", name=application or "document", reason=reason
    )
    return unusable_config(text, "application_path", path=application)
