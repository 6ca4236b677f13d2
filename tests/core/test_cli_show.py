# SPDX-License-Identifier: Apache-2.0
"""The command line's words, and what it shows of sessions."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tenuto.cli.main import VERBS, main
from tests.support import journals as j
from tests.support.cli import Capture, ask, crashed, put, suspended, tell
from tests.support.paths import CONFORMANCE


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


# --- words on the line ---


@pytest.mark.parametrize("words", [["--help"], ["session", "--help"], ["config", "--help"]])
def test_help_names_every_verb(words: list[str], capsys: Capture) -> None:
    code, out, _ = tell(capsys, *words)
    assert code == 0
    group = words[0] if words[0] in VERBS else None
    for name, verbs in VERBS.items():
        if group in (None, name):
            assert all(verb in out for verb in verbs)


@pytest.mark.parametrize("group", VERBS)
def test_every_verb_has_help(group: str, capsys: Capture) -> None:
    for verb in VERBS[group]:
        with pytest.raises(SystemExit) as end:
            main([*([group] if group else []), verb, "--help"])
        assert end.value.code == 0
        assert "usage: tenuto" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["session", "sho"], "did you mean show"),
        (["session"], "one of ls, show"),
        (["sesion", "ls"], "did you mean session"),
        (["session", "show"], "--help"),
        (["session", "show", "--bogus", "x"], "--help"),
        (["session", "show", "x", "--state-dir"], "needs a value"),
        (["session", "ls", "--source", "claude"], "no such source"),
    ],
)
def test_wrong_use_ends_with_2_and_a_hint(words: list[str], hint: str, capsys: Capture) -> None:
    code, out, err = tell(capsys, *words)
    assert code == 2
    assert hint in err
    assert out == ""


def test_global_options_stand_anywhere(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    for words in (
        ["--state-dir", str(runs), "--json", "session", "show", "r"],
        ["session", "--json", "show", f"--state-dir={runs}", "r"],
        ["session", "show", "r", "--json", "--state-dir", str(runs)],
    ):
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out)["id"] == "r"


# --- show ---


def test_show_gives_status_evidence_and_state(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    code, answer = ask(capsys, "session", "show", "r", "--state-dir", runs)
    assert code == 0
    assert list(answer) == ["id", "path", "error", "message", "status", "evidence", "state"]
    assert (answer["status"], answer["error"]) == ("suspended", None)
    assert (answer["evidence"]["kind"], answer["evidence"]["seq"]) == ("terminal", 4)
    assert answer["state"]["counters"]["tool_calls"] == 1


def test_show_names_the_call_that_may_have_happened(runs: Path, capsys: Capture) -> None:
    crashed(runs)
    _, answer = ask(capsys, "session", "show", "r", "--state-dir", runs)
    assert answer["status"] == "interrupted"
    calls = [{"id": "c1", "name": "stock_list", "display": "stock_list --n=1"}]
    assert answer["evidence"] == {"kind": "outcome_unknown", "calls": calls}


def test_show_states_equal_the_conformance_answers(runs: Path, capsys: Capture) -> None:
    expected = json.loads((CONFORMANCE / "fold" / "expected.json").read_bytes())
    for name in expected:
        source = (CONFORMANCE / "fold" / "journals" / f"{name}.json").read_bytes()
        put(runs, name, source)
    codes = {None: 0, "corrupt": 6, "empty": 6, "no_meta": 6, "version": 6}
    for name, wanted in expected.items():
        code, answer = ask(capsys, "session", "show", name, "--state-dir", runs)
        assert answer["error"] == wanted["error"], name
        assert answer["state"] == wanted["state"], name
        assert code == codes[wanted["error"]], name


def test_show_of_several_prints_one_object_each_and_the_highest_code(
    runs: Path, capsys: Capture
) -> None:
    suspended(runs, "good")
    put(runs, "bad", j.meta(), b"garbage\n", j.assistant(3, []))
    words = ["good", "none", "bad", "../x", str(runs / "good.json")]
    code = main(["session", "show", *words, "--json", "--state-dir", str(runs)])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [a["error"] for a in answers] == [None, "not_found", "corrupt", "not_a_file", None]
    assert code == 6


@pytest.mark.parametrize("id", ["..", "a b", "-a", "_a", "caf\u00e9", "a\n", ""])
def test_what_is_no_id_is_said_to_be_none(id: str, runs: Path, capsys: Capture) -> None:
    code = main(["session", "show", "--json", "--state-dir", str(runs), "--", id])
    assert code == 2
    assert json.loads(capsys.readouterr().out)["error"] == "invalid_id"


def test_a_transcript_reads_as_a_conversation(runs: Path, capsys: Capture) -> None:
    suspended(runs, prompt="Count\nthe rice")
    code, out, _ = tell(capsys, "session", "show", "r", "--transcript", "--state-dir", runs)
    assert code == 0
    assert out.split("\n\n")[:3] == [
        "> Count\n> the rice",
        "Look.",
        "* stock_list --match=rice\n  two bags\n  (exit 3)",
    ]
    assert "suspended (record 4)" in out


def test_records_show_damage_in_its_place(runs: Path, capsys: Capture) -> None:
    first = j.meta()
    put(runs, "r", first, b"garbage\n", j.assistant(3, [j.text("x")]), b'{"seq":4,"pro')
    code, out, err = tell(capsys, "session", "show", "r", "--records", "--state-dir", runs)
    assert code == 6
    kinds = [line.split(", ")[2].split(":")[0] for line in out.splitlines()[:3]]
    assert kinds == ["meta", "damaged", "assistant"]
    assert f"line 2, byte {len(first)}" in out
    assert "incomplete record, 13 bytes" in out
    assert "line 2" in err


def test_nothing_from_a_journal_acts_on_the_terminal(runs: Path, capsys: Capture) -> None:
    evil = "\x1b]0;owned\x07\x9b31m\u202eevil\x7f\ud83d"
    path = put(
        runs,
        "r",
        j.meta(prompt="p"),
        b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.assistant","assistant":{"iteration":0,'
        b'"message":{"role":"assistant","content":[{"text":{"text":%s}},{"tool_use":{"id":"c","name"'
        b':%s,"input":{"a":%s}}}]},"in_tokens":1,"out_tokens":1}}\n'
        % ((json.dumps(evil).encode(),) * 3),
    )
    path.write_bytes(
        path.read_bytes().replace(b'"prompt":"p"', b'"prompt":' + json.dumps(evil).encode())
    )
    for form in ([], ["--transcript"], ["--records"]):
        main(["session", "show", "r", *form, "--state-dir", str(runs)])
        out, err = capsys.readouterr()
        for character in "\x1b\x07\x9b\u202e\x7f\ud83d":
            assert character not in out + err, (form, character)


def test_showing_changes_no_byte_and_no_time(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    os.utime(path, ns=(10**18, 10**18))
    before = path.stat()
    for form in ([], ["--transcript"], ["--records"], ["--json"]):
        main(["session", "show", "r", *form, "--state-dir", str(runs)])
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino, after.st_size) == (
        before.st_mtime_ns, before.st_ino, before.st_size,
    )  # fmt: skip
