#!/usr/bin/python3
"""A pass-through file system that fails on command, for tests against real files.

    /usr/bin/python3 faultfs.py BACKING MOUNTPOINT CONTROL     (needs fuse3 and python3-fusepy from Debian, and root)

Attributes are no reads: every change begins with a look at them, and a host whose reads fail can still write.
CONTROL is a file read at every call; it holds one mode, and is replaced by a rename:
    ok            pass through
    eio-read      opens for reading, reads and listings answer EIO     eio-write   writes, creates, renames answer EIO
    estale-read   the same with ESTALE                                 enospc      writes and creates answer ENOSPC
    hang          every call waits until the mode changes              slow:MS     every call takes MS milliseconds longer
    hang:OP:PATH  only this operation (rename, link, write ...) on what is below a path waits, and is done then
    stale         opens for reading and listings show what this mount saw before the mode was set
    lost-rename   a rename is done and then answered with EIO          lost-link   the same for hard links
    torn:N        a write stores its first N bytes and answers EIO
Two mounts of one backing directory are two hosts. It ends with its standard input, or by: fusermount3 -u MOUNTPOINT
"""
import errno
import os
import signal
import sys
import threading
import time

from fusepy import FUSE, FuseOSError, Operations

NEEDS_SPACE = ('create', 'write', 'link', 'mkdir')


class FaultFs(Operations):
    def __init__(self, backing, control):
        self.backing, self.control = os.path.abspath(backing), control
        self.seen, self.listed, self.handles, self.next = {}, {}, {}, 0
        self.mutex = threading.Lock()
        self.ended = False
        threading.Thread(target=self.end_with_input, daemon=True).start()

    def end_with_input(self):
        while os.read(0, 1024):
            pass
        self.ended = True
        os.kill(os.getpid(), signal.SIGTERM)

    def mode(self):
        if self.ended:
            return 'ok'
        try:
            with open(self.control) as f:
                return f.read().strip() or 'ok'
        except OSError:
            return 'ok'

    def hangs(self, mode, op, path):
        if not mode.startswith('hang:'):
            return mode == 'hang'
        _, hanging, below = mode.split(':', 2)
        return op == hanging and path.startswith(below)

    def enter(self, op, path, kind='change'):
        mode = self.mode()
        while self.hangs(mode, op, path):
            time.sleep(0.02)
            mode = self.mode()
        if mode.startswith('slow:'):
            time.sleep(int(mode[5:]) / 1000)
        if kind == 'read' and mode in ('eio-read', 'estale-read'):
            raise FuseOSError(errno.EIO if mode == 'eio-read' else errno.ESTALE)
        if kind == 'change' and mode == 'eio-write':
            raise FuseOSError(errno.EIO)
        if mode == 'enospc' and op in NEEDS_SPACE:
            raise FuseOSError(errno.ENOSPC)
        return mode

    def real(self, path):
        return self.backing + path

    def keep(self, value):
        with self.mutex:
            self.next += 1
            self.handles[self.next] = value
            return self.next

    def __call__(self, op, *args):
        try:
            return super().__call__(op, *args)
        except FuseOSError:
            raise
        except OSError as e:
            raise FuseOSError(e.errno) from None

    def getattr(self, path, fh=None):
        if path != '/':
            self.enter('getattr', path, 'look')
        st = os.lstat(self.real(path))
        return {k: getattr(st, k) for k in ('st_atime', 'st_ctime', 'st_gid', 'st_mode', 'st_mtime', 'st_nlink', 'st_size', 'st_uid')}

    def readdir(self, path, fh):
        if self.enter('readdir', path, 'read') == 'stale' and path in self.listed:
            return self.listed[path]
        self.listed[path] = ['.', '..'] + os.listdir(self.real(path))
        return self.listed[path]

    def open(self, path, flags):
        if flags & os.O_ACCMODE != os.O_RDONLY:
            self.enter('open', path)
            return self.keep(os.open(self.real(path), flags))
        if os.path.isdir(self.real(path)):
            self.enter('open', path, 'read')
            return self.keep(os.open(self.real(path), flags))
        if self.enter('open', path, 'read') == 'stale' and path in self.seen:
            return self.keep(self.seen[path])
        with open(self.real(path), 'rb') as f:
            self.seen[path] = f.read()
        return self.keep(self.seen[path])

    def create(self, path, mode, fi=None):
        self.enter('create', path)
        return self.keep(os.open(self.real(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode))

    def read(self, path, size, offset, fh):
        self.enter('read', path, 'read')
        data = self.handles[fh]
        return data[offset:offset + size] if isinstance(data, bytes) else os.pread(data, size, offset)

    def write(self, path, data, offset, fh):
        mode = self.enter('write', path)
        if mode.startswith('torn:'):
            os.pwrite(self.handles[fh], data[:int(mode[5:])], offset)
            raise FuseOSError(errno.EIO)
        return os.pwrite(self.handles[fh], data, offset)

    def truncate(self, path, length, fh=None):
        self.enter('truncate', path)
        os.truncate(self.real(path), length)

    def fsync(self, path, datasync, fh):
        self.enter('fsync', path)
        if isinstance(self.handles[fh], int):
            os.fsync(self.handles[fh])

    def fsyncdir(self, path, datasync, fh):
        self.enter('fsyncdir', path)

    def flush(self, path, fh):
        return 0

    def release(self, path, fh):
        value = self.handles.pop(fh, None)
        if isinstance(value, int):
            os.close(value)

    def rename(self, old, new):
        mode = self.enter('rename', old)
        os.rename(self.real(old), self.real(new))
        if mode == 'lost-rename':
            raise FuseOSError(errno.EIO)

    def link(self, target, source):
        mode = self.enter('link', target)
        os.link(self.real(source), self.real(target))
        if mode == 'lost-link':
            raise FuseOSError(errno.EIO)

    def unlink(self, path):
        self.enter('unlink', path)
        os.unlink(self.real(path))

    def mkdir(self, path, mode):
        self.enter('mkdir', path)
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        self.enter('rmdir', path)
        os.rmdir(self.real(path))

    def chmod(self, path, mode):
        os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.real(path), uid, gid)

    def utimens(self, path, times=None):
        os.utime(self.real(path), times)


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    FUSE(FaultFs(sys.argv[1], sys.argv[3]), sys.argv[2], foreground=True, attr_timeout=0, entry_timeout=0, direct_io=True)
