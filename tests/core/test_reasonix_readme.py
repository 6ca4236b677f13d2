# SPDX-License-Identifier: Apache-2.0
"""The example in the README runs as it stands there."""

import re
import subprocess
import sys

from tenuto.reasonix import folders, load_session
from tests.support.paths import REPOSITORY
from tests.support.reasonix import SESSION, write


def test_the_example_in_the_readme(tmp_path, home):
    readme = (REPOSITORY / "README.md").read_text()
    section = readme.split("## Reasonix sessions from Python")[1]
    (example,) = re.findall(r"```python\n(.*?)```", section.split("\n## ")[0], re.DOTALL)
    folder = folders.project_dir(tmp_path)
    folder.mkdir(parents=True)
    path = write(folder / "20260702-091502.004200000-deepseek-v4.jsonl", SESSION)
    done = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "1 count the go files" in done.stdout
    assert done.stdout.endswith("user go on\nassistant All right.\n")
    assert [message["role"] for message in load_session(path)[-2:]] == ["user", "assistant"]
