# SPDX-License-Identifier: Apache-2.0
"""``session export|import|fork|note``: what they print, write and refuse."""

from __future__ import annotations

import json
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tenuto.agent import seen
from tenuto.export.markdown import defanged
from tenuto.render.markdown import is_harmless
from tenuto.runs import notes
from tests.support import journals as j
from tests.support.cli import Capture, ask, put, suspended, tell
from tests.support.store import snapshot

KEY = "sk-ant-api03-" + "aB3" * 12
SIGNATURE = "c2stYW50LWFwaTAz" + "a" * 40
HOSTILE = (
    "# Look\n<img src=http://beacon/x onerror=alert(1)> ![y](http://beacon/y) [z](javascript:q)\n"
    "- ```\n<script>alert(1)</script>\n\u202e\x1b[31m"
)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def hostile(runs: Path) -> Path:
    return put(
        runs,
        "r",
        j.meta(run_id="r", prompt=f"Use {KEY} </title><script>x</script>"),
        j.assistant(
            2,
            [
                {"thinking": {"text": "hm <b>", "signature": SIGNATURE}},
                j.text(HOSTILE),
                j.call("c1", {"password": "hunter2", "path": "</code><i>"}),
            ],
            stop_reason="tool_use",
        ),
        j.result(
            3, "c1", json.dumps({"command": "x", "exit_code": 1, "output": f"{KEY}\n``` <u>"})
        ),
        j.terminal(4),
    )


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.metas: dict[str, str] = {}
        self.words = ""

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.add(tag)
        assert not [name for name in found if name.startswith("on") or name in ("src", "style")]
        if "href" in found:
            self.links.append(found["href"])
        if tag == "meta":
            self.metas[found.get("http-equiv") or found.get("name") or "charset"] = str(
                found.get("content")
            )

    def handle_data(self, data):
        self.words += data


def test_a_page_loads_nothing_and_runs_nothing(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    hostile(runs)
    target = tmp_path / "r.html"
    code, answer = ask(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)
    assert code == 0
    assert (answer["id"], answer["path"], answer["format"]) == ("r", str(target), "html")
    assert answer["redacted"] == {"Anthropic key": 2, "password": 1}
    assert answer["size"] == target.stat().st_size
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    text = target.read_text()
    page = Page()
    page.feed(text)
    assert page.tags <= set(
        "html head meta title style body h1 dl dt dd main section div p strong code span pre"
        " details summary ul li".split()
    )
    assert page.links == []
    policy = page.metas["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert page.metas["referrer"] == "no-referrer"
    assert not re.search(r"url\(|@import|hunter2|sk-ant", text)
    assert SIGNATURE not in text
    assert "prefers-color-scheme: dark" in text
    for words in ("alert(1)", "exit 1", "</title><script>x", "http://beacon/y", "<U+202E>"):
        assert words in page.words


def test_markdown_shows_what_would_act(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    hostile(runs)
    target = tmp_path / "r.md"
    code, out, err = tell(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "redacted: 2 Anthropic key, 1 password"
    text = target.read_text()
    assert is_harmless(text)
    assert not re.search(r"hunter2|sk-ant|\x1b|\u202e", text)
    tokens = MarkdownIt("commonmark").parse(text)
    code_blocks = [token.content for token in tokens if token.type == "fence"]
    assert "[redacted Anthropic key]\n``` <u>\n" in code_blocks


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                *"``` ~~~ ` `` <b> <img/src=x> ![a](b) ![ ](b) [a] [a]: <!-- --> \\ > - #".split(),
                *["a", "b", "\n", "\n\n", " ", "    ", "\t"],
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_whatever_a_model_says_markdown_of_it_is_harmless(text: str) -> None:
    assert is_harmless(defanged(text))


def test_plain_markdown_and_code_stay_as_they_are() -> None:
    text = "# A\n\n- `<b>` and ``![x]``\n\n```html\n<img src=x>\n```\n\n> *q* [l](https://a.b)\n"
    assert defanged(text) == text


def test_json_holds_the_records_token_for_token(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    path = hostile(runs)
    notes.update(runs, "r", title=f"Mine {KEY}", note="read me")
    target = tmp_path / "r.json"
    words = ["session", "export", "r", "--to", target, "--state-dir", runs]
    assert ask(capsys, *words)[1]["redacted"] == {"Anthropic key": 3, "password": 1}
    found = json.loads(target.read_text())
    assert (found["format"], found["source"], found["id"]) == (1, "fisk-ai", "r")
    assert found["redacted"] == {"Anthropic key": 3, "password": 1}
    assert found["notes"] == {"title": "Mine [redacted Anthropic key]", "note": "read me"}
    assert found["summary"]["status"] == "suspended"
    assert "path" not in found["summary"]
    assert [record["seq"] for record in found["records"]] == [1, 2, 3, 4]
    thinking = found["records"][1]["assistant"]["message"]["content"][0]["thinking"]
    assert thinking["signature"] == SIGNATURE
    assert "hunter2" not in target.read_text()

    code, answer = ask(capsys, *words, "--force", "--no-redact")
    assert (code, answer["redacted"]) == (0, None)
    lines = target.read_bytes().split(b"\n")
    assert [line.rstrip(b",") for line in lines[1:5]] == path.read_bytes().split(b"\n")[:4]
    assert json.loads(target.read_text())["redacted"] is None


def test_damage_stands_beside_the_records(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    put(runs, "r", j.meta(run_id="r"), b'{"seq":2,"torn\n', j.assistant(3, [j.text("x")]))
    target = tmp_path / "r.json"
    assert tell(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)[0] == 0
    found = json.loads(target.read_text())
    assert [record["seq"] for record in found["records"]] == [1, 3]
    assert found["damage"][0]["line"] == 2
    for name in ("r.md", "r.html", "r.tenuto"):
        code, _, _ = tell(
            capsys, "session", "export", "r", "--to", tmp_path / name, "--state-dir", runs
        )
        assert code == 0


def test_nothing_is_overwritten_without_force(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    suspended(runs)
    target = tmp_path / "x.tenuto"
    target.write_text("mine")
    words = ["session", "export", "r", "--to", target, "--state-dir", runs]
    code, answer = ask(capsys, *words)
    assert (code, answer["error"], target.read_text()) == (4, "target_exists", "mine")
    assert ask(capsys, *words, "--force")[0] == 0
    assert target.read_bytes().startswith(b"PK")
    link = tmp_path / "link.tenuto"
    link.symlink_to(tmp_path / "elsewhere")
    for force in ([], ["--force"]):
        words = ["session", "export", "r", "--to", link, "--state-dir", runs, *force]
        assert tell(capsys, *words)[0] in (4, 6)
    assert not (tmp_path / "elsewhere").exists()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name[0] == ".") == []


def test_where_an_export_does_not_belong(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    suspended(runs)
    before = snapshot(runs)
    for target, code, words in (
        (runs / "x.json", 2, "folder of runs"),
        (tmp_path / "x", 2, "--format"),
        (tmp_path / "none" / "x.md", 6, "no folder"),
    ):
        found = tell(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)
        assert (found[0], found[1]) == (code, "")
        assert words in found[2]
    code, _, _ = tell(
        capsys, "session", "export", "no", "--to", tmp_path / "x.md", "--state-dir", runs
    )
    assert code == 3
    # A list makes the preview, and so does this.
    (runs / "r.preview.json").unlink(missing_ok=True)
    assert snapshot(runs) == before
    assert not list(tmp_path.glob("x*"))


def test_a_git_work_tree_is_warned_of(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    suspended(runs)
    tree = tmp_path / "tree" / "sub"
    tree.mkdir(parents=True)
    (tmp_path / "tree" / ".git").mkdir()
    words = ["session", "export", "r", "--state-dir", runs]
    _, answer = ask(capsys, *words, "--to", tree / "x.md")
    [warning] = answer["warnings"]
    assert "git work tree" in warning
    assert ask(capsys, *words, "--to", tmp_path / "x.md")[1]["warnings"] == []
    assert "secrets too" in tell(capsys, *words, "--to", tmp_path / "x.tenuto")[2]


def test_out_and_in_again(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    path = suspended(runs)
    before = path.read_bytes()
    target = tmp_path / "x.tenuto"
    _, answer = ask(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)
    assert (answer["files"], answer["left"], answer["redacted"]) == (["r.json"], [], None)
    other = tmp_path / "other"
    code, answer = ask(capsys, "session", "import", target, "--state-dir", other)
    assert (code, answer["id"], answer["renamed"]) == (0, "r", False)
    assert (other / "r.json").read_bytes() == before
    code, answer = ask(capsys, "session", "import", target, "--state-dir", other)
    assert (code, answer["exported_id"], answer["renamed"]) == (0, "r", True)
    assert Path(answer["path"]).read_bytes() == before
    code, answer = ask(capsys, "session", "import", target, "--as", "r", "--state-dir", other)
    assert (code, answer["error"]) == (4, "exists")
    code, out, _ = tell(capsys, "session", "import", target, "--as", "s", "--state-dir", other)
    assert (code, out) == (0, "r is here as s\n")
    target.write_bytes(target.read_bytes()[:-9])
    code, answer = ask(capsys, "session", "import", target, "--state-dir", other)
    assert (code, answer["error"]) == (6, "bad_bundle")


def test_show_puts_nothing_anywhere(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    suspended(runs)
    target = tmp_path / "x.tenuto"
    tell(capsys, "session", "export", "r", "--to", target, "--state-dir", runs)
    other = tmp_path / "other"
    code, out, _ = tell(capsys, "session", "import", target, "--show", "--state-dir", other)
    assert code == 0
    assert "suspended, record 4" in out
    assert "* stock_list --match=rice" in out
    assert out.count("> ") == 1
    assert "path" not in out
    code, answer = ask(capsys, "session", "import", target, "--show", "--state-dir", other)
    assert (code, answer["id"], answer["status"]) == (0, "r", "suspended")
    assert answer["state"]["counters"]["llm_calls"] == 1
    assert not other.exists()
    assert tell(capsys, "session", "import", target, "--show", "--as", "x")[0] == 2


def test_the_configuration_of_a_stranger_is_not_offered(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    suspended(runs)
    known = tmp_path / "agent.yaml"
    known.write_text("{}")
    target = tmp_path / "x.tenuto"
    words = ["session", "export", "r", "--to", target, "--force", "--state-dir", runs]
    for config in (str(tmp_path / "evil.yaml"), str(known)):
        notes.update(runs, "r", title="T", config=config, cwd="/w")
        ask(capsys, *words)
        other = tmp_path / f"other-{Path(config).stem}"
        seen.remember(known)
        assert ask(capsys, "session", "import", target, "--state-dir", other)[0] == 0
        kept = notes.load(other, "r")
        assert kept.title == "T"
        assert (kept.config, kept.cwd) == ((config, "/w") if config == str(known) else (None, None))


def test_fork_prints_the_new_id(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    code, out, err = tell(
        capsys, "session", "fork", "r", "--at", "2", "--name", "n", "--state-dir", runs
    )
    assert (code, out) == (0, "n\n")
    assert "up to record 3" in err
    code, answer = ask(capsys, "session", "fork", "r", "--at", "1", "--state-dir", runs)
    assert code == 0
    assert answer["parent"] == {"id": "r", "seq": 1}
    assert (answer["records"], Path(answer["path"]).name) == (2, f"{answer['id']}.json")
    _, shown = ask(capsys, "session", "show", answer["id"], "--state-dir", runs)
    assert (shown["status"], shown["evidence"]["text"]) == (
        "suspended",
        "forked from r at record 1",
    )
    for words, code in (
        (["--at", "9"], 3),
        (["--at", "0"], 2),
        (["--at", "x"], 2),
        ([], 2),
        (["--at", "1", "--name", "r"], 4),
        (["--at", "1", "--name", "a.b"], 2),
    ):
        assert tell(capsys, "session", "fork", "r", *words, "--state-dir", runs)[0] == code


def test_notes_and_pins(runs: Path, capsys: Capture) -> None:
    before = suspended(runs).read_bytes()
    words = ["session", "note", "r", "--state-dir", runs]
    assert ask(capsys, *words) == (0, {"id": "r", "pinned": False, "note": None, "changed": []})
    code, answer = ask(capsys, *words, "--pin", "--text", " look\nhere\x1b ")
    assert (code, answer["pinned"], answer["note"]) == (0, True, "look\nhere\x1b")
    assert answer["changed"] == ["pinned", "note"]
    assert tell(capsys, *words) == (0, "look\nhere\u241b\n", "")
    assert ask(capsys, *words, "--unpin", "--text", "")[1]["changed"] == ["pinned", "note"]
    assert tell(capsys, *words, "--pin")[1] == "r: pinned, no note\n"
    assert (runs / "r.json").read_bytes() == before
    assert tell(capsys, *words, "--pin", "--unpin")[0] == 2
    assert tell(capsys, *words, "--text", "x" * 10_001)[0] == 2
    assert tell(capsys, "session", "note", "no", "--state-dir", runs)[0] == 3
    assert tell(capsys, "session", "note", "no", "--pin", "--state-dir", runs)[0] == 3
