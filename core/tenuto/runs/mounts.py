# SPDX-License-Identifier: Apache-2.0
"""Which file system a folder lies on, as far as the system tells (Linux: ``/proc``).

Two things depend on it: the device number under which ``/proc/locks`` names a lock (Btrfs and
overlays answer ``stat`` with another one), and whether somebody on another machine may hold or
change a file without this system hearing of it.
"""

from __future__ import annotations

import os
import re

import msgspec

#: Locks and changes of other machines are not seen through these.
_NETWORK = frozenset(
    {
        "9p",
        "afs",
        "ceph",
        "cifs",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "glusterfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "prl_fs",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
    }
)


_OCTAL = re.compile(rb"\\([0-7]{3})")


class Mount(msgspec.Struct, frozen=True, gc=False):
    """The mount a folder lies on."""

    #: As ``os.makedev`` makes it, of the file system's super block.
    device: int
    kind: str
    #: Where it is mounted.
    point: str = "/"

    @property
    def network(self) -> bool:
        """Whether other machines may hold locks in it that this one does not see."""
        return self.kind in _NETWORK


def mount_of(folder: str | os.PathLike[str]) -> Mount | None:
    """The mount ``folder`` lies on, or None where the system does not tell."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        return _mount_of_descriptor(descriptor)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def _mount_of_descriptor(descriptor: int) -> Mount | None:
    with open(f"/proc/self/fdinfo/{descriptor}", "rb") as info:
        mount_id = next((line.split()[1] for line in info if line.startswith(b"mnt_id:")), b"")
    with open("/proc/self/mountinfo", "rb") as table:
        for line in table:
            # Mount id, parent, major:minor, root, mount point, options, any number of optional
            # fields, a dash, the kind (proc(5)).
            fields = line.split()
            if fields[0] == mount_id:
                major, minor = fields[2].split(b":")
                kind = fields[fields.index(b"-", 6) + 1]
                device = os.makedev(int(major), int(minor))
                # Spaces and the like are octal in the table.
                point = os.fsdecode(_OCTAL.sub(lambda m: bytes([int(m[1], 8)]), fields[4]))
                return Mount(device, kind.decode("ascii", "replace"), point)
    return None
