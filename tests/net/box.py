"""A small machine of its own on which systemd is started for real: namespaces, an overlay over this machine's files, and `carteado` in
/opt/carteado, as docs/operating.md installs it. Nothing of it stays.

    with booted(folder) as box:
        box.run("systemctl", "start", "carteado")

It needs root, Linux with overlayfs and cgroup2, and systemd. Where one is missing `booted` skips the test, and says why.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = Path("/usr/lib/systemd/systemd")
PROGRAM = "/opt/carteado/bin/carteado"
HOME = "/var/lib/carteado"
_PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
_SECONDS = 60.0
_SCRIPT = "#!/opt/carteado/bin/python3\nimport sys\nfrom carteado.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
_BOOT = r"""
set -e
R=$D/space/root
mount --make-rprivate /
mount -t tmpfs tmpfs $D/space
mkdir $D/space/up $D/space/work $R
mount -t overlay overlay -o lowerdir=/,upperdir=$D/space/up,workdir=$D/space/work $R
mount -t proc proc $R/proc
mount -t sysfs -o ro sysfs $R/sys
mount -t cgroup2 cgroup2 $R/sys/fs/cgroup
mount -t tmpfs tmpfs $R/run
mount -t tmpfs -o mode=1777 tmpfs $R/tmp
mount -t tmpfs -o mode=755 tmpfs $R/dev
for each in null zero full random urandom tty; do : > $R/dev/$each; mount --bind /dev/$each $R/dev/$each; done
mkdir $R/dev/shm $R/dev/pts
mount -t tmpfs -o mode=1777 tmpfs $R/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts $R/dev/pts
ln -s pts/ptmx $R/dev/ptmx
mkdir -p $R/opt/carteado $R/opt/python $R/opt/needed $R/etc/carteado
mount --bind $D/opt $R/opt/carteado
mount --bind $PYTHON $R/opt/python
mount --bind $NEEDED $R/opt/needed
mount --bind $D/etc $R/etc/carteado
rm -rf $R/etc/systemd/system
cp -r $D/units $R/etc/systemd/system
: > $R/etc/fstab
echo uninitialized > $R/etc/machine-id
cd $R
mkdir .before
pivot_root . .before
umount -l /.before
ip link set lo up
exec env -i container=box PATH=$PATH /usr/lib/systemd/systemd --system --unit=box.target --log-target=console --show-status=no
"""
_TARGET = "[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\n"
_NOT_HERE = [
    f"systemd-{name}"
    for name in ("udevd", "udev-trigger", "firstboot", "sysctl", "modules-load", "remount-fs", "networkd", "networkd-wait-online")
]


@dataclass(frozen=True)
class Box:
    """A machine that runs; pid: of its systemd."""

    pid: int

    def run(self, *words: str, check: bool = True, env: tuple[str, ...] = ()) -> str:
        """Run a command there as root, and return what it says. Raises: AssertionError if it fails."""
        inside = ["nsenter", "-t", str(self.pid), "-m", "-p", "-i", "-u", "-C", "-n", "--", "env", "-i", _PATH, *env]
        done = subprocess.run([*inside, *words], capture_output=True, text=True, timeout=_SECONDS, check=False, cwd="/")
        assert not check or done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def carteado(self, *words: str, home: str = HOME) -> str:
        """Run the installed program."""
        return self.run(PROGRAM, *words, env=(f"CARTEADO_HOME={home}",))

    def beside(self, *words: str, home: str) -> None:
        """Let the installed program run until the machine is gone."""
        self.run("systemd-run", "--quiet", f"--setenv=CARTEADO_HOME={home}", PROGRAM, *words)

    def shown(self, name: str) -> str:
        """Return a property of the service."""
        return self.run("systemctl", "show", "carteado", "--property", name, "--value").strip()

    def log(self) -> str:
        """Return what the service has written."""
        return self.run("journalctl", "--unit", "carteado", "--no-pager", "--output", "cat")


@contextmanager
def booted(folder: Path, settings: str) -> Iterator[Box]:
    """Start a machine with the service's unit and these settings; end it, with everything that runs there."""
    if why := _missing():
        pytest.skip(why)
    _install(folder, settings)
    group = _group(folder)
    environment = {
        "D": str(folder), "PYTHON": sys.base_prefix, "NEEDED": sysconfig.get_paths()["purelib"], "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"
    }  # fmt: skip
    inside = "exec unshare --mount --pid --fork --ipc --uts --cgroup --net --kill-child /bin/bash $D/boot.sh"
    with (folder / "boot.log").open("wb") as log:
        outer = subprocess.Popen(["/bin/sh", "-c", f"echo $$ > {group}/cgroup.procs; {inside}"], env=environment, stdout=log, stderr=log)
    try:
        yield Box(_up(outer, folder))
    finally:
        outer.kill()
        outer.wait()
        _remove(group)


def _missing() -> str:
    if sys.platform != "linux" or os.geteuid() != 0:
        return "a machine with systemd is started by root on Linux only"
    if not SYSTEMD.exists():
        return "there is no systemd here"
    tools = [tool for tool in ("unshare", "nsenter", "pivot_root", "ip", "systemctl", "systemd-run") if shutil.which(tool) is None]
    return f"there is no {' and no '.join(tools)} here" if tools else ""


def _install(folder: Path, settings: str) -> None:
    """Lay out what the machine mounts: the program, its settings, the units."""
    opt, units = folder / "opt", folder / "units"
    site = opt / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    for made in (folder / "space", folder / "etc", units, opt / "bin", site):
        made.mkdir(parents=True)
    for area in ("core", "net", "plugins", "ui"):
        shutil.copytree(ROOT / area, site / "carteado" / area, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "cli.py", site / "carteado")
    (site / "needed.pth").write_text("/opt/needed\n")
    (opt / "pyvenv.cfg").write_text("home = /opt/python/bin\ninclude-system-site-packages = false\n")
    (opt / "bin" / "python3").symlink_to(f"/opt/python/bin/python{sys.version_info[0]}.{sys.version_info[1]}")
    (opt / "bin" / "carteado").write_text(_SCRIPT)
    (opt / "bin" / "carteado").chmod(0o755)
    (folder / "etc" / "host.toml").write_text(settings)
    (folder / "boot.sh").write_text(_BOOT)
    (units / "box.target").write_text(_TARGET)
    shutil.copy(ROOT / "packaging" / "carteado.service", units)
    (units / "carteado.service.d").mkdir()
    (units / "carteado.service.d" / "python.conf").write_text("[Service]\nEnvironment=LD_LIBRARY_PATH=/opt/python/lib\n")
    for unit in _NOT_HERE:
        (units / f"{unit}.service").symlink_to("/dev/null")


def _group(folder: Path) -> Path:
    """Make a control group for the machine."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, kind, *_ = line.split()
        if kind == "cgroup2":
            group = Path(where) / f"carteado-{os.getpid()}-{folder.name}"
            with contextlib.suppress(OSError):
                group.mkdir()
                return group
    pytest.skip("no control group can be made here")


def _up(outer: subprocess.Popen[bytes], folder: Path) -> int:
    """Return the process of the machine's systemd, once it has started all it wants."""
    until, state = time.monotonic() + _SECONDS, ""
    while time.monotonic() < until and outer.poll() is None:
        children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        if children and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n":
            state = Box(int(children[0])).run("systemctl", "is-system-running", check=False).strip()
            if state in ("running", "degraded"):
                return int(children[0])
        time.sleep(0.05)
    pytest.skip(f"systemd does not start here ({state}): {(folder / 'boot.log').read_text()[-300:].strip()}")


def _remove(group: Path) -> None:
    """Remove a control group and those in it, once their processes are gone."""
    for path, _, _ in os.walk(group, topdown=False):
        for _ in range(100):
            try:
                os.rmdir(path)
                break
            except OSError:
                time.sleep(0.02)
