# SPDX-License-Identifier: Apache-2.0
"""One open session: resumed, grown, saved, pruned, forked, let go."""

import json
import os
import threading
import time
from pathlib import Path

import pytest

from tenuto.errors import Leased, NoBoundary, SessionConflict, StoreIO
from tenuto.messages import Block, Message, Text, ToolResult, ToolUse
from tenuto.reasonix import Controller, continue_session_path, list_sessions, load_session
from tenuto.reasonix.cold import ColdResume, archive_for
from tenuto.reasonix.model import ELIDED
from tenuto.reasonix.recorder import SessionRecorder
from tenuto.records import Assistant, Terminal, ToolResultRecord, User
from tests.support.reasonix import ANSWER, ASK, CALL, RESULT, SESSION, SYSTEM, long_session, write
from tests.support.store import FaultLayer, meta, quick_folder, snapshot, wait_for

DAY = 86_400
MODEL = "deepseek/deepseek-v4"


@pytest.fixture
def folder():
    with quick_folder() as found:
        yield found


@pytest.fixture
def controller(folder):
    with Controller(folder, MODEL, system="Be brief.") as found:
        yield found


def sidecar(path):
    return json.loads(Path(f"{path}.meta").read_text())


# --- new sessions --------------------------------------------------------------------------------


def test_a_fresh_session_is_only_written_when_something_was_said(controller, folder):
    assert controller.snapshot() is None
    assert os.listdir(folder) == []
    controller.append(ASK)
    saved = controller.snapshot(mark_activity=True)
    assert (saved.path, saved.preview, saved.turns) == (
        controller.session_path,
        "count the go files",
        1,
    )
    assert load_session(controller.session_path) == [SYSTEM, ASK]
    assert sidecar(saved.path) == {
        "id": Path(saved.path).stem,
        "created_at": sidecar(saved.path)["created_at"],
        "updated_at": sidecar(saved.path)["updated_at"],
        "model": MODEL,
        "schema_version": 1,
        "turns": 1,
        "preview": "count the go files",
    }
    assert "-deepseek-deepseek-v4.jsonl" in saved.path


def test_without_a_folder_nothing_can_be_saved():
    controller = Controller("")
    assert controller.snapshot() is None
    controller.append(ASK)
    with pytest.raises(ValueError, match="no folder"):
        controller.snapshot()


def test_history_is_a_copy(controller):
    controller.append(ASK, CALL)
    copy = controller.history()
    copy[2]["tool_calls"][0]["name"] = "rm"
    copy.clear()
    assert controller.history() == [SYSTEM, ASK, CALL]
    assert CALL["tool_calls"][0]["name"] == "bash"


def test_history_is_whole_while_a_turn_appends(controller):
    over = threading.Event()

    def grow():
        for _ in range(300):
            controller.append(ASK, ANSWER)
        over.set()

    thread = threading.Thread(target=grow)
    thread.start()
    while not over.is_set():
        assert len(controller.history()) % 2 == 1
    thread.join()
    assert len(controller.history()) == 601


def test_activity_only_counts_when_it_is_said(controller):
    controller.append(ASK)
    controller.snapshot(mark_activity=True)
    before = sidecar(controller.session_path)["updated_at"]
    controller.append(ANSWER)
    controller.snapshot()
    assert sidecar(controller.session_path)["updated_at"] == before
    controller.snapshot(mark_activity=True)
    assert sidecar(controller.session_path)["updated_at"] > before


def test_what_is_saved_already_is_not_written_again(controller):
    controller.append(ASK)
    controller.snapshot()
    before = os.stat(controller.session_path)
    controller.snapshot()
    assert os.stat(controller.session_path) == before


def test_an_unreadable_sidecar_is_left_alone_and_told(controller):
    controller.append(ASK)
    controller.snapshot()
    side = Path(f"{controller.session_path}.meta")
    side.write_bytes(b"not json")
    controller.append(ANSWER)
    assert "makes no sense" in controller.snapshot().meta_problem
    assert side.read_bytes() == b"not json"
    assert load_session(controller.session_path) == [SYSTEM, ASK, ANSWER]


# --- turns ---------------------------------------------------------------------------------------


def test_a_turn_is_saved_while_it_runs_and_after_it(controller):
    with controller.turn(every=0.02) as number:
        assert number == 0
        controller.append(ASK)
        # The metadata comes after the session itself.
        wait_for(lambda: os.path.exists(f"{controller.session_path}.meta"), "autosave")
        before = sidecar(controller.session_path)["updated_at"]
        controller.append(ANSWER)
    assert load_session(controller.session_path) == [SYSTEM, ASK, ANSWER]
    assert sidecar(controller.session_path)["updated_at"] > before
    with controller.turn() as number:
        assert number == 1
    assert not [t for t in threading.enumerate() if t.name == "reasonix autosave"]


@pytest.mark.allow_log("the session was not saved")
def test_an_autosave_that_fails_ends_nothing(folder):
    layer = FaultLayer(1, only=("fsync",), forever=True)
    with Controller(folder, MODEL, layer=layer) as controller:
        with pytest.raises(StoreIO), controller.turn(every=0.01):
            controller.append(ASK)
            wait_for(lambda: layer.fired, "autosave")
        layer.nth = 0
        controller.snapshot()
        assert load_session(controller.session_path) == [ASK]


# --- resuming ------------------------------------------------------------------------------------


def test_a_resume_pins_the_path_and_drops_what_belonged_to_another(controller, folder):
    path = write(folder / "20260702-091502.004200000-old.jsonl", SESSION[:3])
    controller.todos.append("from before")
    epoch = controller.epoch
    resumed = controller.resume(load_session(path), path)
    assert (resumed.path, resumed.messages, resumed.read_only) == (str(path), 4, None)
    assert controller.session_path == str(path)
    assert controller.todos == []
    assert controller.epoch == epoch + 1
    # Nothing is written by looking; the repair comes with the next save.
    assert len(path.read_bytes().splitlines()) == 3
    controller.append(ANSWER)
    controller.snapshot()
    assert len(load_session(path)) == 5
    assert continue_session_path(controller.session_path, folder, "other") == str(path)
    assert controller.continue_with_model("other/model") == str(path)
    controller.snapshot()
    assert sidecar(path)["model"] == "other/model"


def test_what_was_open_is_saved_before_something_else_is(controller, folder):
    path = write(folder / "b.jsonl")
    controller.append(ASK)
    first = controller.session_path
    controller.resume(load_session(path), path)
    assert load_session(first) == [SYSTEM, ASK]
    controller.append(ASK)
    fresh = controller.new()
    assert load_session(path) == [*SESSION, ASK]
    assert controller.history() == [SYSTEM]
    assert fresh not in (first, str(path))
    assert not os.path.exists(fresh)


def test_a_plain_list_can_be_resumed_too(controller, folder):
    controller.resume(SESSION, folder / "new.jsonl")
    controller.snapshot()
    assert load_session(folder / "new.jsonl") == SESSION


# --- what others wrote ---------------------------------------------------------------------------


def test_nothing_is_written_over_what_another_program_added(controller, folder):
    path = write(folder / "s.jsonl")
    controller.resume(load_session(path), path)
    theirs = [*SESSION, {"role": "user", "content": "theirs"}]
    write(path, theirs)
    with pytest.raises(SessionConflict) as caught:
        controller.append(ASK)
        controller.snapshot()
    assert caught.value.fields["how"] == "diverged"
    assert load_session(path) == theirs
    # The way out: a copy beside it.
    copied = controller.branch("mine")
    assert load_session(copied) == [*SESSION, ASK]


def test_what_another_program_wrote_of_ours_is_no_conflict(controller, folder):
    path = write(folder / "s.jsonl")
    controller.resume(load_session(path), path)
    controller.append(ASK)
    write(path, [{"role": "system", "content": "others"}, *SESSION[1:]])
    controller.snapshot()
    assert load_session(path) == [*SESSION, ASK]
    write(path, [*SESSION, ASK, ANSWER])
    controller.append(ANSWER, ASK)
    controller.snapshot()
    assert load_session(path) == [*SESSION, ASK, ANSWER, ASK]
    write(path, [*SESSION, ASK, ANSWER, ASK, ANSWER])
    with pytest.raises(SessionConflict, match="holds more"):
        controller.snapshot()
    path.write_bytes(b"{")
    with pytest.raises(SessionConflict, match="damaged"):
        controller.snapshot()
    path.unlink()
    controller.snapshot()
    assert load_session(path) == [*SESSION, ASK, ANSWER, ASK]


# --- branches ------------------------------------------------------------------------------------


def test_a_branch_is_a_copy_at_the_tip(controller, folder):
    path = write(folder / "s.jsonl")
    controller.resume(load_session(path), path)
    copied = controller.branch("try")
    assert controller.session_path == copied != str(path)
    assert load_session(copied) == SESSION
    found = sidecar(copied)
    assert (found["name"], found["parent_id"], found["fork_turn"]) == ("try", "s", -1)
    assert (found["fork_message_index"], found["turns"]) == (5, 1)
    infos = {info.name: info.parent_id for info in list_sessions(folder)}
    assert infos == {"try": "s", "s": ""}
    controller.new()
    with pytest.raises(ValueError, match="empty"):
        controller.branch()


def test_a_fork_goes_by_checkpoints(controller, folder):
    path = write(folder / "s.jsonl", [*SESSION, ASK, ANSWER])
    (folder / "s.ckpt").mkdir()
    for turn, index in ((0, 1), (3, 5), (4, 99)):
        text = json.dumps({"turn": turn, "msgIndex": index, "files": None})
        (folder / "s.ckpt" / f"turn-{turn}.json").write_text(text)
    (folder / "s.ckpt" / "turn-7.json").write_text("{")
    resumed = controller.resume(load_session(path), path)
    assert resumed.next_turn == 5
    for turn, words in ((1, "no checkpoint"), (4, "compacted away"), (7, "no checkpoint")):
        with pytest.raises(NoBoundary, match=words):
            controller.fork(turn)
    with controller.turn() as number:
        assert number == 5
        controller.append(ASK)
    assert load_session(controller.fork(3, "again")) == SESSION
    assert sidecar(controller.session_path)["fork_turn"] == 3
    # Of a session that was never checkpointed, a turn begins where somebody said something.
    assert load_session(controller.fork(0)) == [SYSTEM]


# --- cold sessions -------------------------------------------------------------------------------


def cold(folder, days, **options):
    def clock():
        return 1_790_000_000 + days * DAY

    options = {"context_window": 2000, "clock": clock, **options}
    return ColdResume(os.fspath(folder), **options)


def used(folder, messages):
    """A session last used when the clock above began."""
    path = folder / "s.jsonl"
    return write(path, messages, id="s", updated_at="2026-09-21T14:13:20Z")


def test_a_cold_session_is_pruned_and_its_originals_archived(folder):
    (folder / "sessions").mkdir()
    path = used(folder / "sessions", long_session())
    before = sidecar(path)["updated_at"]
    with Controller(path.parent, MODEL, cold=cold(path.parent, 2)) as controller:
        resumed = controller.resume(load_session(path), path)
    pruned = resumed.pruned
    assert pruned.results > 10
    assert pruned.idle_minutes == 2880
    assert Path(pruned.archive).parent == folder / "archive"
    assert len(load_session(pruned.archive)) == pruned.results
    after = load_session(path)
    assert sum(m.get("content", "").startswith(ELIDED) for m in after) == pruned.results
    assert after[-1] == ANSWER
    assert sidecar(path)["updated_at"] == before
    # Once is enough.
    with Controller(path.parent, MODEL, cold=cold(path.parent, 2)) as controller:
        assert controller.resume(load_session(path), path).pruned is None


@pytest.mark.parametrize(
    "options",
    [{"after": None}, {"context_window": 0}, {"after": 3 * DAY}],
    ids=["off", "window unknown", "warm"],
)
def test_what_is_not_cold_is_left_alone(folder, options):
    path = used(folder, long_session())
    before = path.read_bytes()
    with Controller(folder, MODEL, cold=cold(folder, 2, **options)) as controller:
        assert controller.resume(load_session(path), path).pruned is None
    assert path.read_bytes() == before


def test_a_session_without_a_time_is_not_pruned(folder):
    path = write(folder / "s.jsonl", long_session())
    with Controller(folder, MODEL, cold=cold(folder, 2)) as controller:
        assert controller.resume(load_session(path), path).pruned is None


def test_an_archive_that_cannot_be_written_keeps_everything(folder):
    path = used(folder, long_session())
    (folder / "archive").write_text("in the way")
    policy = cold(folder, 2, archive=str(folder / "archive"))
    with Controller(folder, MODEL, cold=policy) as controller:
        resumed = controller.resume(load_session(path), path)
        assert resumed.pruned is None
        assert resumed.prune_problem
        assert controller.history() == long_session()


def test_the_archive_lies_in_the_state_folder(home):
    assert archive_for("/s/projects/-srv/sessions") == "/s/archive"
    assert archive_for("/s/sessions") == "/s/archive"
    assert archive_for("/elsewhere") == str(home / ".reasonix" / "archive")


# --- the loop's records --------------------------------------------------------------------------


def test_a_loop_records_into_a_session(folder):
    use = ToolUse("c1", "bash", b'{"command":"ls"}')
    with Controller(folder, MODEL, system="Be brief.") as controller:
        recorder = SessionRecorder(controller)
        assert recorder.append(meta(prompt="count the go files")) == 2
        reply = Message("assistant", [Block(tool_use=use)])
        assert recorder.append(Assistant(0, reply, "tool_use", 10, 5)) == 3
        # On disk before the call runs.
        assert load_session(controller.session_path)[:3] == [SYSTEM, ASK, CALL]
        assert recorder.append(ToolResultRecord("c1", ToolResult("c1", "12\n")), ms=4) == 4
        answer = Message("assistant", [Block(text=Text("There are 12."))])
        recorder.append(Assistant(1, answer, "end_turn"))
        assert recorder.append(Terminal("completed")) == 5
        assert load_session(controller.session_path) == [SYSTEM, ASK, CALL, RESULT, ANSWER]


def test_a_session_is_saved_now_and_then_only_while_a_turn_runs(folder):
    path = write(folder / "s.jsonl", updated_at="2026-07-01T00:00:00Z")
    as_it_was = snapshot(folder)
    with Controller(folder, "other/model") as controller:
        controller.resume(load_session(path), path)
        recorder = SessionRecorder(controller)
        recorder.autosave()
        assert {name: snapshot(folder)[name] for name in as_it_was} == as_it_was
        recorder.append(User(Message("user", [Block(text=Text("go on"))])))
        controller.append(CALL)
        recorder.autosave()
        assert load_session(path)[-2] == CALL
        assert sidecar(path)["updated_at"] == "2026-07-01T00:00:00Z"
        recorder.append(Assistant(1, Message("assistant", [Block(text=Text("Done."))]), "end_turn"))
        assert sidecar(path)["updated_at"] > "2026-07-01T00:00:00Z"
        os.unlink(f"{path}.meta")
        recorder.autosave()
        assert not os.path.exists(f"{path}.meta")


def test_slow_saves_wait_for_the_next_reply(folder, monkeypatch):
    with Controller(folder, MODEL) as controller:
        recorder = SessionRecorder(controller)
        recorder.append(meta())
        real, calls = controller.snapshot, []

        def slow(mark_activity=False):
            calls.append(1)
            time.sleep(0.11)
            return real(mark_activity)

        monkeypatch.setattr(controller, "snapshot", slow)
        for number in range(3):
            recorder.append(ToolResultRecord(f"c{number}", ToolResult(f"c{number}", "x")))
        assert len(calls) == 1
        use = Block(tool_use=ToolUse("c9", "bash", b"{}"))
        recorder.append(Assistant(0, Message("assistant", [use])))
        assert len(calls) == 2
        # Nor is one lost where there is none, as when the operator aborts the call after it.
        recorder.append(ToolResultRecord("c9", ToolResult("c9", "the last one")))
        assert len(calls) == 2
        recorder.close()
        assert load_session(controller.session_path)[-1]["content"] == "the last one"
        recorder.close()
        assert len(calls) == 3


def test_a_read_only_session_says_why_and_can_be_copied(folder, monkeypatch):
    path = write(folder / "s.jsonl")
    theirs = Leased("session s is open in process 1", id="s", path=str(path), pid=1, hostname=None)

    def refuse(*_args, **_options):
        raise theirs

    monkeypatch.setattr("tenuto.reasonix.controller.Lease.acquire", refuse)
    with Controller(folder, MODEL) as controller:
        assert controller.resume(load_session(path), path).read_only is theirs
        assert controller.history() == SESSION
        controller.append(ASK)
        with pytest.raises(Leased):
            controller.snapshot()
        monkeypatch.undo()
        copied = controller.branch()
        assert load_session(copied) == [*SESSION, ASK]
    assert load_session(path) == SESSION
