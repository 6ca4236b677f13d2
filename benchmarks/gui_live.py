# SPDX-License-Identifier: Apache-2.0
"""What `benchmarks.gui` runs of a living folder, in processes of their own: ``MODE FOLDER ...``.

Another process writes, the whole window looks on: its own watcher, its own threads. Prints JSON.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import corpora

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

#: Seconds between two changes that are timed, at least and at most.
_PAUSE = (0.15, 0.45)
#: Seconds after which a change is given up.
_PATIENCE = 20.0


# --- the other process ----------------------------------------------------------------------------


def writer(folder: str) -> None:
    """Append one turn to each run that is named on stdin; answer with when, on the common clock."""
    for word in sys.stdin:
        name = word.strip()
        path = Path(folder, f"{name}.json")
        seq = path.read_bytes().count(b"\n") + 1
        message = {"role": "assistant", "content": [{"text": {"text": f"It is number {seq}."}}]}
        reply: dict[str, object] = {"iteration": seq, "message": message, "in_tokens": 900}
        line = corpora.line(seq, "assistant", reply)
        with path.open("ab") as file:
            begun = time.monotonic()
            file.write(line)
        print(json.dumps([seq, begun]), flush=True)


class _Writer:
    def __init__(self, folder: str) -> None:
        words = [sys.executable, "-m", "benchmarks.gui_live", "writer", folder]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def append(self, name: str) -> tuple[int, float]:
        """The number of the new record, and when it was written."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(name + "\n")
        seq, begun = json.loads(self._process.stdout.readline())
        return seq, begun

    def close(self) -> None:
        self._process.communicate()


class _Paints:
    """When a widget was first painted with what is waited for."""

    def __init__(self, widget: type[QWidget]) -> None:
        self._there: Callable[[], bool] | None = None
        self._seen = 0.0
        paint = widget.paintEvent

        def timed(view: QWidget, event: object) -> None:
            paint(view, event)  # type: ignore[arg-type]
            if self._there is not None and not self._seen and self._there():
                self._seen = time.monotonic()

        widget.paintEvent = timed  # type: ignore[method-assign]

    def expect(self, there: Callable[[], bool]) -> None:
        """Wait for another thing. Called before it can happen."""
        self._there, self._seen = there, 0.0

    def when(self, app: QApplication) -> float:
        """The time on the common clock, once it has been painted."""
        end = time.monotonic() + _PATIENCE
        while not self._seen:
            app.processEvents()
            if time.monotonic() > end:
                raise SystemExit("the window never showed it")
            time.sleep(0.0005)
        return self._seen


# --- the window -----------------------------------------------------------------------------------


def moves(folder: str, settle: float, count: int) -> None:
    """A run far down the list is written to: until it is painted at the top, with its new turn."""
    from benchmarks.gui_child import pause, settled
    from tenuto_gui.sessions.list_view import SessionList

    paints = _Paints(SessionList)
    app, window = settled(folder, settle)
    other = _Writer(folder)
    source = random.Random(3)
    found: list[float] = []
    for _ in range(count):
        chosen = source.choice(window.sessions.all()[-window.sessions.total // 2 :])

        def there(name: str = chosen.id, turns: int = chosen.turns + 1) -> bool:
            now = window.sessions.summary(name)
            return window.sessions.row_of(name) == 0 and now is not None and now.turns == turns

        paints.expect(there)
        _, begun = other.append(chosen.id)
        found.append(paints.when(app) - begun)
        pause(app, source.uniform(*_PAUSE))
    other.close()
    window.close()
    print(json.dumps(found))


def record(folder: str, settle: float, count: int) -> None:
    """The run that is shown is written to: until its new words are painted."""
    from benchmarks.gui_child import pause, settled
    from tenuto_gui.transcript.view import TranscriptView

    paints = _Paints(TranscriptView)
    app, window = settled(folder, settle)
    name = window.sessions.all()[0].id
    window.open_session(name)
    view = window.detail.transcript
    while not view.blocks:
        pause(app, 0.05)
    other = _Writer(folder)
    source = random.Random(5)
    found: list[float] = []
    for _ in range(count):
        pause(app, source.uniform(*_PAUSE))
        known = view.blocks[-1].seq

        def there(known: int = known) -> bool:
            return view.blocks[-1].seq > known

        paints.expect(there)
        _, begun = other.append(name)
        found.append(paints.when(app) - begun)
    other.close()
    window.close()
    print(json.dumps(found))


#: Words of each kind that a reply has.
_REPLY = """The stream grew by **3.1 GiB** (8 %) since last Monday. Two consumers need a look:

- `billing-eu` was renamed to `billing-eu-2`; the dashboard asks for the old name.
- `audit-archive` falls behind by about 9,000 messages an hour.

| Consumer | Owner | Pending |
|---|---|---:|
| `billing-eu-2` | Billing | 1,204 |

```python
def late(consumers: list[Consumer]) -> list[str]:
    # behind by more than a day
    return [each.name for each in consumers if each.lag > 86_400]
```

"""
_CONFIG = """\
identity: reporter
system_prompt: You report.
llm:
  model: scripted-1
  provider: scripted
  budget: {max_tokens: 1000000000, max_iterations: 100}
"""


def _script(folder: Path, seconds: float, a_second: float) -> Path:
    """A configuration whose one reply takes so long, at so many words a second."""
    words = len(_REPLY.split())
    text = _REPLY * (int(seconds * a_second * 1.2 / words) + 1)
    turn = {"text": text, "word_delay": 0.9 / a_second}
    config = folder / "agent.yaml"
    config.write_text(_CONFIG)
    config.with_name("agent.tenuto.yaml").write_text("script: turns.json\n")
    config.with_name("turns.json").write_text(json.dumps({"turns": [turn]}))
    return config


def stream(folder: str, settle: float, seconds: float, a_second: float) -> None:
    """A worker of this window streams a reply; the window shows it and beats."""
    from benchmarks.gui_child import pause, settled
    from benchmarks.gui_heart import Heart
    from tenuto_gui.runs import protocol

    app, window = settled(folder, settle)
    place = Path(folder).with_name("config")
    place.mkdir(mode=0o700, exist_ok=True)
    controller = window.running.controller
    tokens = 0
    heart = Heart()

    def seen(_run: str, event: object) -> None:
        nonlocal tokens
        if isinstance(event, protocol.TextDelta):
            if not tokens:
                heart.beat_for(seconds, end)
            tokens += 1

    def end() -> None:
        controller.run_event.disconnect(seen)
        app.quit()

    controller.run_event.connect(seen)
    name = f"streamed-{time.time_ns()}"
    controller.start(name, str(_script(place, seconds, a_second)), "Report.")
    window.following.await_session(name)
    app.exec()
    shown = max((len(block.text) for block in window.detail.transcript.blocks), default=0)
    controller.abort(name)
    controller.wait(10_000)
    pause(app, 0.2)
    window.close()
    more = {"tokens_a_second": tokens / seconds, "characters_shown": float(shown)}
    print(json.dumps(heart.figures() | more))


def stream_floor(folder: str, seconds: float, a_second: float) -> None:
    """The same worker beside an empty window that only takes its lines."""
    from PySide6.QtCore import QProcess
    from PySide6.QtWidgets import QApplication, QWidget

    from benchmarks.gui_heart import Heart

    app = QApplication([])
    window = QWidget()
    window.resize(1440, 900)
    window.show()
    heart = Heart()
    place = Path(folder).with_name("config")
    place.mkdir(mode=0o700, exist_ok=True)
    config = _script(place, seconds, a_second)
    name = f"streamed-{time.time_ns()}"
    words = ["run", "--config", str(config), "--checkpoint", f"--name={name}"]
    words += ["--events", "jsonl", "--state-dir", folder, "--", "Report."]
    process = QProcess()
    begun = False

    def read() -> None:
        nonlocal begun
        if b'"text"' in process.readAllStandardOutput().data() and not begun:
            begun = True
            heart.beat_for(seconds, app.quit)

    process.readyReadStandardOutput.connect(read)
    process.start(sys.executable, ["-m", "tenuto", *words])
    app.exec()
    process.readyReadStandardOutput.disconnect(read)
    process.kill()
    process.waitForFinished(10_000)
    print(json.dumps(heart.figures()))


def main() -> None:
    """Run the mode that is named."""
    mode, folder, *more = sys.argv[1:]
    if mode == "writer":
        writer(folder)
    elif mode == "moves":
        moves(folder, float(more[0]), int(more[1]))
    elif mode == "record":
        record(folder, float(more[0]), int(more[1]))
    elif mode == "stream":
        stream(folder, float(more[0]), float(more[1]), float(more[2]))
    elif mode == "stream-floor":
        stream_floor(folder, float(more[0]), float(more[1]))
    else:
        raise SystemExit(f"no such mode: {mode}")


if __name__ == "__main__":
    main()
