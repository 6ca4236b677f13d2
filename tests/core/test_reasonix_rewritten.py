# SPDX-License-Identifier: Apache-2.0
"""A session that another process writes anew every few milliseconds, while it is looked at."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tenuto.runs.files import FileLayer
from tenuto.sources.base import Block
from tenuto.sources.raw import Row, RowsChanged
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_raw import records_of
from tests.support.cli import Capture, ask

NAME = "20260601-101010.000000001-m"
#: Enough for every reader to come upon every moment of it many times.
LOOKS = 60
WRITER = """
import json, os, sys, time
path, way = sys.argv[1:]
number = 0
while not os.path.exists(path + ".enough"):
    number += 1
    said = [{"role": "user", "content": f"{at} of {number}"} for at in range(number % 40 + 1)]
    data = "".join(json.dumps(message) + "\\n" for message in said)
    if way == "replaced":
        with open(path + ".part", "w") as file:
            file.write(data)
        os.replace(path + ".part", path)
    else:
        with open(path, "w") as file:
            for at in range(0, len(data), 100):
                file.write(data[at : at + 100])
                file.flush()
    print(number, flush=True)
    time.sleep(0.01)
"""


class Shown:
    """The rows of the records, as whoever shows them has them."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def take(self, change: RowsChanged) -> None:
        assert change.first <= len(self.rows)
        self.rows[change.first :] = change.rows


@pytest.mark.parametrize("way", ["replaced", "in place"])
def test_it_is_listed_shown_and_followed(tmp_path: Path, way: str, capsys: Capture) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    path = folder / f"{NAME}.jsonl"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), way], stdout=subprocess.PIPE, text=True
    )
    with writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        source = ReasonixSource(tmp_path)
        transcript = source.open(f"sessions/{NAME}")
        records, shown = records_of(str(path), FileLayer()), Shown()
        try:
            for _look in range(LOOKS):
                (row,) = source.list().summaries
                source.build_pending()
                assert row.id.endswith(NAME)
                transcript.refresh(live=True)
                check(way, prompts(transcript.blocks))
                records.refresh(shown.take, live=True)
            code, found = ask(
                capsys, "session", "show", NAME, "--source", "reasonix", "--state-dir", tmp_path
            )
            assert (code, found["id"].endswith(NAME)) == (0, True)
        finally:
            Path(f"{path}.enough").touch()
            writer.stdout.read()
    said = [json.loads(line)["content"] for line in path.read_text().splitlines()]
    transcript.refresh()
    assert prompts(transcript.blocks) == said
    records.refresh(shown.take)
    assert [(row.kind, row.text) for row in shown.rows] == [("message", text) for text in said]
    source.list()
    source.build_pending()
    (row,) = source.list().summaries
    assert row.turns == len(said)


def prompts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks if block.kind in ("prompt", "follow_up")]


def check(way: str, said: list[str]) -> None:
    """Of a file that is replaced one version, whole; of any other, messages of whole lines."""
    numbers = [tuple(map(int, text.split(" of "))) for text in said]
    assert [at for at, _ in numbers] == list(range(len(said)))
    if way == "replaced":
        (version,) = {version for _, version in numbers}
        assert len(said) == version % 40 + 1
