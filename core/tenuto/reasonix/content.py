# SPDX-License-Identifier: Apache-2.0
"""What a v4 session keeps apart: payloads that are too large for its log.

Beside the folders of sessions lies ``.content-v1``; an object is called after its own SHA-256, in
``objects/ab/cd/abcd...``, and holds the bytes as they are. An event then has a ``payloadRef`` of
``digest`` and ``bytes`` in place of a payload. (Not in reasonix.md; it is what its later builds do,
and without it a long message could not be read.)
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import Any, Final

from tenuto.errors import NotAFile, StoreError
from tenuto.reasonix.frames import MOST
from tenuto.runs.files import FileLayer

#: The only place where it is looked for, whatever a manifest may say.
STORE: Final = ".content-v1"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def read_content(layer: FileLayer, session: str, reference: dict[str, Any]) -> bytes:
    """The bytes that ``reference``, of the session in folder ``session``, stands for.

    :raises ValueError: they are not there, or are not what they should be.
    """
    digest, size = reference.get("digest"), reference.get("bytes")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise ValueError("a reference to nothing")
    if type(size) is not int or not 0 <= size <= MOST:
        raise ValueError(f"a content of {size!r} bytes, at most {MOST}")
    root = os.path.join(os.path.dirname(os.path.realpath(session)), STORE, "objects")
    try:
        with layer.open_dir(os.path.join(root, digest[:2], digest[2:4])) as folder:
            data = layer.read_all(folder, digest, limit=MOST)
    except FileNotFoundError:
        raise ValueError(f"its content {digest[:12]} is not in {STORE}") from None
    except (OSError, StoreError, NotAFile) as error:
        raise ValueError(f"its content {digest[:12]} cannot be read: {error}") from None
    if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
        raise ValueError(f"its content {digest[:12]} is not what was written")
    return data
