# SPDX-License-Identifier: Apache-2.0
"""Times for records that another program writes: when Tenuto saw them (design.md, "Times").

A journal holds no times. While a window watches a folder, what grows there gets the moment at which
it was seen. Only fresh, small growth counts: of what was found on a later look nobody knows when it
was written. A worker of Tenuto's own notes better times itself.
"""

from __future__ import annotations

import os
import time

from tenuto.clock import rfc3339
from tenuto.runs import times
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.preview import Preview
from tenuto.runs.reader import scan
from tenuto.runs.workers import is_worker

#: Seconds between a write and the look that may still call itself its witness.
_FRESH = 5.0
#: Bytes of growth that are read again for their numbers: more was not written just now.
_MOST = 1 << 20


def note(
    layer: FileLayer, folder: Folder, before: Preview | None, after: Preview, holder: int | None
) -> int:
    """Note the time of each record between two previews of a journal; how many were noted.

    ``holder``: the process that has the run's lock, if any. Best effort: nothing is raised for a
    file that cannot be written.
    """
    if before is None or before.inode != after.inode or not before.offset:
        return 0
    grown = after.offset - before.offset
    age = time.time() - after.mtime_ns / 1e9
    if not 0 < grown <= _MOST or not -_FRESH < age < _FRESH:
        return 0
    if holder is not None and is_worker(holder):
        return 0
    fd, _ = layer.open_regular(folder, journal_name(after.id))
    with os.fdopen(fd, "rb") as file:
        found = scan(file, start=before.offset, version=after.version, read_on=True)
    known = times.read(folder.path, after.id, layer=layer)
    # The file's own time is nearer to the write than ours, unless its clock runs ahead.
    moment = rfc3339(min(time.time_ns(), after.mtime_ns))
    new = [
        times.RecordTime(record.seq, moment) for record in found.records if record.seq not in known
    ]
    if new and times.append(folder.path, after.id, new, layer=layer):
        return len(new)
    return 0
