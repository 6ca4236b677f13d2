# SPDX-License-Identifier: Apache-2.0
"""Pictures of starting, forcing and leaving runs, with real workers (`tests.gui.screenshots`)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import contextmanager

LIST = {"text": "I look at the shelves.", "tools": [{"name": "stock_list", "input": {}}]}
ADD = {"text": "In with it.", "tools": [{"name": "stock_add", "input": {"item": "tea"}}]}
REMOVE = {"text": "Out with it.", "tools": [{"name": "stock_remove", "input": {"items": ["tea"]}}]}
DONE = {"text": "The pantry is tidy."}
PROMPT = "Tidy up the pantry, and tell me what ran out"


def _wait(seconds):
    return {"text": "I wait for the delivery.",
            "tools": [{"name": "wait", "input": {"seconds": seconds}}]}  # fmt: skip


def _bench(studio, name):
    """A pantry of its own under the pictures' home."""
    from tests.e2e.bench import Bench

    folder = studio.runs.parent / name
    bench = Bench(folder)
    os.environ["PATH"] = bench.environment["PATH"]
    return bench


def _suspended(bench, turns, **llm):
    """A run ``tidy`` that was suspended in a tool, after the calls of ``turns``."""
    config = bench.script([*turns, _wait(1), DONE], **llm)
    words = ("run", PROMPT, "--config", str(config), "--checkpoint", "--name", "tidy")
    with bench.worker(*words) as worker:
        worker.until("tool_start", name="wait")
        worker.send(type="suspend")
        worker.wait()
    return config


def _until(studio, condition):
    for _ in range(400):
        if condition():
            return
        studio.spin(0.05)
    raise SystemExit("it never came about")


@contextmanager
def _shown(studio, bench):
    with studio.window(bench.runs, "tidy") as window:
        _until(studio, lambda: window.detail.session_id == "tidy")
        studio.spin(1)
        yield window
        for session_id in window.running.controller.live_ids():
            window.running.controller.abort(session_id)
        _until(studio, lambda: not window.running.controller.live_ids())


def new_run(studio) -> None:
    """The dialog of a new run, with the tools it will have; and with a broken configuration."""
    bench = _bench(studio, "new-run")
    _suspended(bench, [LIST])
    broken = bench.folder / "broken.yaml"
    broken.write_text("identity: pantry\nsystem_promt: Keep it.\n")
    for scheme in ("light", "dark"):
        with _shown(studio, bench) as window:
            window.context.theme.set_choice(scheme)
            window.verbs.new_run.trigger()
            studio.spin(1)
            dialog = window.findChild(object, "newRunDialog")
            _until(studio, lambda dialog=dialog: dialog.tools.count())
            dialog.prompt.setPlainText(PROMPT)
            studio.keep(dialog, f"new-run-{scheme}")
            dialog.set_config(str(broken))
            _until(studio, dialog.said.isVisible)
            studio.keep(dialog, f"new-run-broken-{scheme}")
            dialog.close()
            studio.keep(window, f"new-run-window-{scheme}")


def force(studio) -> None:
    """What a force means: a tool that is gone, one that changed, an earlier force."""
    from tenuto.runs import notes

    bench = _bench(studio, "force")
    config = _suspended(bench, [LIST, LIST, ADD])
    found = json.loads(config.read_text())
    found["exclude"] = {"tools": ["^stock_list$"]}
    found["system_prompt"] = "You keep the pantry.\nAsk before anything goes."
    config.write_text(json.dumps(found))
    earlier = notes.Forced("2026-03-12T14:02:00Z", str(config), [{"field": "max_tokens"}])
    notes.add_forced(bench.runs, "tidy", earlier)
    with _shown(studio, bench) as window:
        window.verbs.resume_force.trigger()
        panel = window.resume_flow.force_panel
        _until(studio, lambda: panel.isVisible() and panel.confirm.isEnabled())
        _until(studio, lambda: window.detail.configuration.comparison)
        studio.both(window, "force")
        window.resize(1000, 700)
        studio.keep(window, "force-narrow")


def say(studio) -> None:
    """A message to go on with."""
    bench = _bench(studio, "say")
    _suspended(bench, [LIST])
    with _shown(studio, bench) as window:
        window.verbs.resume_say.trigger()
        window.resume_flow.say_panel.field.setPlainText("The tea stays, whatever the list says.")
        studio.both(window, "say")


def budget(studio) -> None:
    """A run that used up what it may spend."""
    bench = _bench(studio, "budget")
    turns = [{**LIST, "usage": {"input": 9000, "output": 2000}}, DONE]
    config = bench.script(turns, budget={"max_tokens": 10_000})
    words = ("run", PROMPT, "--config", str(config), "--checkpoint", "--name", "tidy")
    bench.tenuto(*words)
    with _shown(studio, bench) as window:
        window.verbs.resume.trigger()
        _until(studio, window.notices.isVisible)
        studio.both(window, "budget")


def live(studio) -> None:
    """A run at work, the question before it is aborted, and the one before the window closes."""
    bench = _bench(studio, "live")
    _suspended(bench, [LIST])
    bench.script([LIST, _wait(1), LIST, _wait(30), DONE])
    with _shown(studio, bench) as window:
        window.verbs.resume.trigger()
        _until(studio, window.running.strip.isVisible)
        studio.spin(1.5)
        studio.both(window, "live")
        for name, ask in (("abort", window.verbs.abort.trigger), ("closing", window.close)):
            for scheme in ("light", "dark"):
                window.context.theme.set_choice(scheme)
                ask()
                studio.spin(0.2)
                box = window.findChild(object, "questionDialog")
                studio.keep(box, f"{name}-{scheme}")
                box.reject()
                studio.spin(0.2)
        window.context.theme.set_choice("light")


def elsewhere(studio) -> None:
    """A run of another process: at work, then waiting for an answer there."""
    bench = _bench(studio, "elsewhere")
    config = _suspended(bench, [LIST])
    bench.script([LIST, _wait(1), _wait(6), REMOVE, DONE])
    with bench.worker("resume", "tidy", "--config", str(config)) as worker:
        worker.until("tool_start")
        with _shown(studio, bench) as window:
            _until(studio, window.running.elsewhere.isVisible)
            studio.both(window, "elsewhere")
            worker.until("ask")
            status = lambda: window.sessions.summary("tidy").status  # noqa: E731
            _until(studio, lambda: status() == "waiting")
            studio.both(window, "elsewhere-waits")


RUN_STATES: dict[str, Callable] = {
    state.__name__: state for state in (new_run, force, say, budget, live, elsewhere)
}
