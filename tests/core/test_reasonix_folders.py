# SPDX-License-Identifier: Apache-2.0
"""Where sessions are and what they are called, by system and environment."""

import os
import re
from pathlib import Path

import pytest

import tenuto.reasonix
from tenuto import paths
from tenuto.reasonix import continue_session_path, folders, new_session_path
from tenuto.reasonix.folders import SessionFolder, session_folders
from tenuto.reasonix.names import is_session_name, model_of, session_id, sibling
from tests.support.reasonix import write


def test_the_default_folders(home):
    assert folders.home() == home / ".reasonix"
    assert folders.sessions_dir() == home / ".reasonix" / "sessions"
    assert folders.archive_dir() == home / ".reasonix" / "archive"
    assert folders.project_dir("/home/u/app") == (
        home / ".reasonix" / "projects" / "-home-u-app" / "sessions"
    )
    assert folders.old_home() == home / ".config" / "reasonix"


def test_the_environment_goes_first(home, monkeypatch):
    monkeypatch.setenv("REASONIX_HOME", "  ~/r/../own ")
    assert folders.home() == folders.state() == home / "own"
    monkeypatch.setenv("WHERE", "/srv")
    monkeypatch.setenv("REASONIX_STATE_HOME", "$WHERE/${WHERE}/$NOT_THERE")
    assert folders.state() == Path("/srv/srv")
    monkeypatch.setenv("REASONIX_STATE_HOME", "relative")
    assert folders.state() == Path.cwd() / "relative"
    for nothing in ("", "   ", "$NOT_THERE"):
        monkeypatch.setenv("REASONIX_STATE_HOME", nothing)
        assert folders.state() == home / "own"
    monkeypatch.setenv("REASONIX_HOME", "~")
    assert folders.home() == home


def test_the_settings_go_before_the_environment_and_samples_before_both(home, monkeypatch):
    monkeypatch.setenv("REASONIX_STATE_HOME", "/srv/env")
    monkeypatch.setenv("REASONIX_HOME", "/srv/env-home")
    assert folders.sessions_root() == Path("/srv/env")
    assert folders.sessions_root(chosen="~/mine/../own") == home / "own"
    runs = home / "demo" / "runs"
    runs.mkdir(parents=True)
    assert folders.sessions_root(runs, "/srv/chosen") == Path("/srv/chosen")
    samples = folders.samples_root(home / "demo")
    samples.mkdir()
    (samples / folders.SAMPLES).touch()
    assert folders.sessions_root(runs, "/srv/chosen") == samples
    for at, linked in (("runs-link", runs), ("demo-link", home / "demo")):
        (home / at).symlink_to(linked)
    assert folders.sessions_root(home / "runs-link", "/srv/chosen") == samples
    assert folders.sessions_root(home / "demo-link" / "runs", "/srv/chosen") == samples
    # What lies beside a link is not beside the runs.
    other = home / "other-runs"
    other.mkdir()
    (home / "demo" / "link").symlink_to(other)
    assert folders.sessions_root(home / "demo" / "link", "/srv/chosen") == Path("/srv/chosen")


def test_a_file_makes_no_sessions_disappear_from_beside_the_users_own_runs(home):
    runs = paths.default_runs_dir()
    runs.mkdir(parents=True)
    samples = folders.samples_root(runs.parent)
    samples.mkdir()
    (samples / folders.SAMPLES).touch()
    assert folders.sessions_root(runs) == home / ".reasonix"
    (home / "link").symlink_to(runs)
    assert folders.sessions_root(home / "link") == home / ".reasonix"


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_name_that_no_folder_can_have_is_no_folder_of_samples(home, name):
    assert folders.sessions_root(home / name / "runs") == home / ".reasonix"


def test_what_is_chosen_is_not_swapped_for_the_folder_of_old_builds(home):
    (folders.old_home() / "sessions").mkdir(parents=True)
    assert folders.sessions_root() == folders.old_home()
    assert folders.sessions_root(chosen=str(home / "new")) == home / "new"


def test_other_systems(home, monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert folders.home() == folders.old_home() == Path("/roaming/reasonix")
    monkeypatch.setattr("sys.platform", "darwin")
    assert folders.home() == home / ".reasonix"
    assert folders.old_home() == home / "Library" / "Application Support" / "reasonix"


def test_slugs():
    assert folders.project_slug("/home/u/app") == "-home-u-app"
    assert folders.project_slug("/srv/C:\\a") == "-srv-C--a"


def test_the_folders_of_a_state_folder(tmp_path):
    assert session_folders(tmp_path) == [SessionFolder(str(tmp_path), "", False)]
    for name in ("sessions", "projects/-b/sessions", "projects/-a/sessions-v4", "projects/-c/x"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "projects" / "file").touch()
    assert session_folders(tmp_path) == [
        SessionFolder(str(tmp_path / "sessions"), "", False),
        SessionFolder(str(tmp_path / "projects/-a/sessions-v4"), "-a", True),
        SessionFolder(str(tmp_path / "projects/-b/sessions"), "-b", False),
    ]
    alone = tmp_path / "projects/-a/sessions-v4"
    assert session_folders(alone) == [SessionFolder(str(alone), "", True)]


# --- names ---------------------------------------------------------------------------------------


def test_new_paths(tmp_path):
    path = new_session_path(
        tmp_path, "deepseek/deepseek-v4-flash", now=lambda: 1_782_983_702_004_200_000
    )
    name = "20260702-091502.004200000-deepseek-deepseek-v4-flash.jsonl"
    assert path == str(tmp_path / name)
    assert not os.path.exists(path)
    assert re.search(r"\.\d{9}-session\.jsonl$", new_session_path(tmp_path, ""))
    assert new_session_path(tmp_path, "a\\b: \u00e9").endswith("-a-b: \u00e9.jsonl")
    assert new_session_path("", "m") == ""


def test_a_name_that_is_taken_is_never_given(tmp_path):
    times = iter([10**18, 10**18, 10**18 + 1])
    first = new_session_path(tmp_path, "m", now=lambda: next(times))
    write(Path(first))
    second = new_session_path(tmp_path, "m", now=lambda: next(times))
    assert first != second
    assert list(times) == []


def test_continue_paths(tmp_path):
    assert continue_session_path("/a/b.jsonl", tmp_path, "m") == "/a/b.jsonl"
    assert continue_session_path(Path("/a/b.jsonl"), "", "m") == "/a/b.jsonl"
    assert continue_session_path("", "", "m") == continue_session_path(None, None, "m") == ""
    assert continue_session_path("", tmp_path, "m").startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("20260702-091502.004200000-deepseek-v4-flash.jsonl", "deepseek-v4-flash"),
        ("no-dash.jsonl", "dash"),
        ("20260618-231556.jsonl", "231556"),
        ("nodash.jsonl", "(unknown)"),
        ("a--b.jsonl", "b"),
        ("a-b-.jsonl", ""),
    ],
)
def test_the_model_in_a_name(name, model):
    assert model_of(name) == model


def test_which_files_are_sessions():
    yes = ("a.jsonl", ".jsonl", "events.jsonl", "a.b.jsonl", "subagent-1.jsonl")
    no = (
        "a.JSONL", "a.jsonl.meta", "a.events.jsonl", "a.conflicts.jsonl", "a.guardian.jsonl",
        "a.wire.jsonl", "a.adjudication.jsonl", "a.execution.jsonl", "a.json", ".session.1.tmp",
    )  # fmt: skip
    assert all(map(is_session_name, yes))
    assert not any(map(is_session_name, no))
    assert session_id("/x/a.b.jsonl") == "a.b"
    assert sibling("/x/a.b.jsonl", ".ckpt") == "/x/a.b.ckpt"


def test_the_library_is_imported_by_its_face():
    for name in tenuto.reasonix.__all__:
        assert getattr(tenuto.reasonix, name).__module__.startswith("tenuto.reasonix") or (
            name == "Message"
        )
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = tenuto.reasonix.nothing_of_the_kind
