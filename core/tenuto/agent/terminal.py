# SPDX-License-Identifier: Apache-2.0
"""A run in a terminal: answers on stdout, everything else on stderr, questions on the tty."""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any, TextIO

from tenuto import gojson
from tenuto.agent import tty
from tenuto.agent.approvals import (
    UNANSWERED,
    Approval,
    ApprovalQuestion,
    AskFile,
    Denied,
    HumanAnswer,
    HumanQuestion,
    Outcome,
    OutcomeQuestion,
    WithdrawnError,
    no_ask_file,
)
from tenuto.agent.cancel import CancelToken
from tenuto.text import single_line, visible


class TerminalEvents:
    """Renders events as lines for people; text of turns that go on is no answer yet.

    The answers of a chat are said as they come; the answer of another run is its end's to say.
    """

    def __init__(self, out: TextIO | None = None, *, answers: bool = True) -> None:
        self._out = out or sys.stderr
        #: Whether stdout is for the answers of a chat.
        self._answers = answers
        self._chat = False
        self._progress = self._out.isatty()
        self._shown = False
        self._text: list[str] = []
        self._run_id: str | None = None

    def emit(self, event: str, /, **fields: Any) -> None:
        match event:
            case "starting":
                self._run_id = fields["run_id"]
                self._chat = bool(fields.get("interactive"))
                if self._run_id is not None:
                    self._line(f"run {self._run_id}")
            case "thinking":
                self._show_progress("thinking")
            case "text":
                self._text.append(fields["delta"])
                self._show_progress("writing")
            case "assistant":
                self._clear_progress()
                if fields.get("stop_reason") == "tool_use":
                    # Why it wants what it is about to ask for; the answer comes later.
                    self._flush_text()
            case "tool_start":
                self._flush_text()
                again = " (again)" if fields["rerun"] else ""
                name, display = single_line(fields["name"]), single_line(fields["display"])
                self._line(f"> {name}: {display}{again}")
            case "tool_end":
                failed = ", failed" if fields["is_error"] else ""
                self._line(f"  {fields['ms'] / 1000:.1f} s{failed}")
            case "ready":
                self._say_answer()
            case "warning":
                self._line(f"warning: {fields['text']}")
            case "finished":
                self._finish(fields["reason"], fields.get("message") or "")

    def close(self) -> None:
        self._clear_progress()

    def _finish(self, reason: str, message: str) -> None:
        if self._chat:
            self._say_answer()
        # What the model said last is the answer, and that goes to stdout.
        self._text.clear()
        if reason == "completed":
            return
        said = reason.replace("_", " ") + (f": {message}" if message else "")
        if reason == "suspended" and self._run_id is not None:
            said += f"; `tenuto resume {self._run_id}` goes on"
        self._line(said)

    def _say_answer(self) -> None:
        if not self._answers:
            self._flush_text()
            return
        text = "".join(self._text).strip()
        self._text.clear()
        self._clear_progress()
        if not text:
            return
        try:
            say(text)
        except OSError as error:
            # A full disk behind stdout is no reason to leave a run in the middle.
            self._line(f"warning: the answer could not be written: {error.strerror}")

    def _flush_text(self) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        if text:
            self._line(text, prose=True)

    def _line(self, text: str, *, prose: bool = False) -> None:
        self._clear_progress()
        with contextlib.suppress(OSError, ValueError):
            print(visible(text, prose=prose), file=self._out, flush=True)

    def _show_progress(self, what: str) -> None:
        if self._progress and not self._shown:
            with contextlib.suppress(OSError, ValueError):
                print(f"... {what}", end="", file=self._out, flush=True)
            self._shown = True

    def _clear_progress(self) -> None:
        if self._shown:
            with contextlib.suppress(OSError, ValueError):
                print("\r\x1b[K", end="", file=self._out, flush=True)
            self._shown = False


def say(text: str) -> None:
    """Print an answer on stdout. What goes to a file or a pipe is the model's own text."""
    shown = visible(text, prose=True) if sys.stdout.isatty() else text
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(gojson.replace_surrogates(shown) + "\n")
        sys.stdout.flush()


class TerminalPrompts:
    """A chat's follow-ups, typed on the controlling terminal. Ctrl-D: no more for now."""

    def __init__(self, cancel: CancelToken, *, path: str = tty.TTY) -> None:
        self._cancel = cancel
        self._path = path

    def next(self) -> str | None:
        """What was typed, or None where the chat is to rest. Raises AbortError."""
        try:
            return self._typed()
        except OSError:
            # The terminal is gone.
            return None

    def _typed(self) -> str | None:
        with tty.opened(self._path) as descriptor:
            while True:
                tty.show(descriptor, "> ")
                try:
                    typed = tty.read_line(descriptor, self._cancel, pasted=True)
                except tty.StoppedError:
                    typed = None
                if typed is None:
                    tty.show(descriptor, "\n")
                    return None
                if text := typed.strip():
                    return text


class TerminalApprovals:
    """Asks on the controlling terminal, which no tool shares. Anything but a yes is a no."""

    #: Typed-ahead keys are no answer.
    DEAD_TIME = 0.3

    def __init__(self, cancel: CancelToken, *, path: str = tty.TTY) -> None:
        self._cancel = cancel
        self._path = path
        self.ask_file: AskFile = no_ask_file

    def approve(self, question: ApprovalQuestion) -> Approval:
        tool, tag, cwd = map(_word, (question.tool, question.tag, question.cwd))
        lines = [f"{tool} wants to run ({tag}), in {cwd}:", *_words(question.argv)]
        answer = self._ask(
            question.fields(), lines, "Allow? [o]nce, for this [r]un, [d]eny (default): "
        )
        if answer in ("o", "once"):
            return "once"
        return "run" if answer in ("r", "run") else Denied()

    def outcome(self, question: OutcomeQuestion) -> Outcome:
        # RFC 3339 in UTC, to the second.
        since = f" since {question.since[:19].replace('T', ' ')} UTC" if question.since else ""
        tool = _word(question.tool)
        lines = [
            f"The outcome of this call of {tool} is unknown{since}: it may have run.",
            *_words(question.argv),
        ]
        again = "[r]un it again, "
        if question.gone:
            lines.append("The configuration takes no such call any more: it cannot run again.")
            again = ""
        lines.append("Skipped, the model is told so and goes on; stopped, the run stays as it is.")
        answer = self._ask(question.fields(), lines, f"{again}[s]kip it, sto[p] (default): ")
        if answer in ("r", "run") and not question.gone:
            return "run"
        return "skip" if answer in ("s", "skip") else "stop"

    def human(self, question: HumanQuestion) -> HumanAnswer:
        lines = ["The agent asks:", *_quoted(question.text)]
        if question.kind == "confirm":
            answer = self._ask(question.fields(), lines, "[y]es, [n]o (default): ")
            return HumanAnswer(answer in ("y", "yes"))
        if question.kind == "select":
            lines += [f"  {n}. {_word(o)}" for n, o in enumerate(question.options, 1)]
            answer = self._ask(question.fields(), lines, "Number (default: none of them): ")
            if answer.isdecimal() and 0 < int(answer) <= len(question.options):
                return HumanAnswer(question.options[int(answer) - 1])
            return HumanAnswer(None, UNANSWERED)
        offered = f" (Enter: {_word(question.default)})" if question.default else ""
        typed = self._read(question.fields(), lines, f"Answer, Ctrl-D for none{offered}: ")
        if typed is None:
            return HumanAnswer(None, UNANSWERED)
        return HumanAnswer(typed.rstrip("\r\n") or question.default)

    def _ask(self, fields: dict[str, Any], lines: list[str], prompt: str) -> str:
        """What was typed, without regard to case; "" where nothing was."""
        return (self._read(fields, lines, prompt) or "").strip().lower()

    def _read(self, fields: dict[str, Any], lines: list[str], prompt: str) -> str | None:
        self._cancel.check()
        text = "".join(f"{visible(line)}\n" for line in lines) + prompt
        try:
            with self.ask_file({"id": "terminal", **fields}), tty.opened(self._path) as descriptor:
                tty.show(descriptor, text)
                tty.drop_typed_ahead(descriptor, self.DEAD_TIME)
                try:
                    return tty.read_line(descriptor, self._cancel)
                except tty.StoppedError:
                    tty.show(descriptor, "(taken back)\n")
                    raise WithdrawnError from None
        except OSError:
            # The terminal is gone, and whoever sat at it said neither yes nor no.
            raise WithdrawnError from None


def _quoted(text: str) -> list[str]:
    """The model's words, each line marked as theirs."""
    return [f"  | {visible(line, prose=True)}" for line in text.split("\n")]


def _words(argv: tuple[str, ...]) -> list[str]:
    """The command word by word, one on a line, so that nothing can pass for a space or a quote."""
    return [f"    {_word(word)}" for word in argv]


def _word(word: str) -> str:
    shown = single_line(word)
    # Where a word begins and ends must be seen where white space is at its edge, or all of it.
    return shown if shown and not re.search(r"^\s|\s$", shown) else f"'{shown}'"
