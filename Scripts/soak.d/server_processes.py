# SPDX-License-Identifier: MIT
"""PostgreSQL, a bucket, HAProxy and instances of parley-server, each of which can be ended at once and started again."""

import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOST = "parley.example.org"
BUCKET = "soak"
MOTO = """
import sys, boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
address = "http://127.0.0.1:%d" % server.get_host_and_port()[1]
boto3.client("s3", region_name="us-east-1", endpoint_url=address, aws_access_key_id="soak", aws_secret_access_key="soak"
             ).create_bucket(Bucket=sys.argv[1])
print(address, flush=True)
sys.stdin.read()
"""


class Failure(Exception):
    pass


def eventually(fact, attempt, limit=60):
    end = time.monotonic() + limit
    while not (result := attempt()):
        if time.monotonic() > end:
            raise Failure(fact)
        time.sleep(0.05)
    return result


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make_certificate(path):
    """A certificate of HOST and its key, in one file."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", path + ".key", "-out", path],
        check=True, capture_output=True)
    with open(path, "a", encoding="ascii") as file:
        file.write(pathlib.Path(path + ".key").read_text())


def make_shared_files(work):
    """What instances share: a folder that PostgreSQL, another user, reaches, with mails and a root key."""
    os.chmod(work, 0o711)
    for name in ("mail/new", "mail/cur", "mail/tmp"):
        os.makedirs(f"{work}/{name}", 0o700)
    with open(os.open(f"{work}/root-key", os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
        file.write(os.urandom(32).hex())


def run_moto():
    """The process of a bucket, and its address."""
    process = subprocess.Popen([ROOT / ".venv-peers/bin/python", "-c", MOTO, BUCKET], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, process.stdout.readline().strip()


def adapted(name, changes):
    """A configuration of Packaging/proxies with the places of this machine."""
    text = (ROOT / "Packaging/proxies" / name).read_text()
    for old, new in changes.items():
        if old not in text:
            raise Failure(f"{name} has no {old}")
        text = text.replace(old, new)
    return text


def run_haproxy(work, port, servers, certificate):
    """HAProxy with changes of its lines of servers."""
    pathlib.Path(f"{work}/haproxy.cfg").write_text(adapted("haproxy.cfg", servers | {
        "bind :443 ssl": f"bind 127.0.0.1:{port} ssl", "/etc/haproxy/parley.pem": certificate,
        "    log /dev/log local0\n": "", "    user haproxy\n    group haproxy\n": "",
        "/run/haproxy/admin.sock": f"{work}/admin.sock"}))
    return subprocess.Popen(["haproxy", "-f", f"{work}/haproxy.cfg", "-q"])


class Postgres:
    """A cluster of its own on a Unix socket. Without fsync its commits are the system's at once, but not the disk's.

    Where this process may mount, a small file system of its own holds the write-ahead log, and can be filled.
    """

    def __init__(self, folder, fsync=False, has_small_log=False):
        self.folder = folder
        versions = sorted(int(path.name) for path in pathlib.Path("/usr/lib/postgresql").iterdir())
        self.bin = f"/usr/lib/postgresql/{versions[-1]}/bin/"
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        os.mkdir(folder, 0o700)
        if self.user:
            shutil.chown(folder, "postgres")
        self.log_disk = f"{folder}/wal" if has_small_log and self.mounts(f"{folder}/wal") else None
        self.url = f"postgres://postgres@/parley?host={folder}"
        try:
            self.make(fsync)
        except BaseException:
            self.close()
            raise

    def make(self, fsync):
        folder = self.folder
        self.run("initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8",
                 "--locale=C.UTF-8", *(["-X", f"{self.log_disk}/pg", "--wal-segsize=1"] if self.log_disk else []))
        with open(f"{folder}/data/postgresql.auto.conf", "a", encoding="ascii") as file:
            file.write(f"unix_socket_directories = '{folder}'\nlisten_addresses = ''\nfsync = {'on' if fsync else 'off'}\nmax_connections = 60\n")
            if self.log_disk:
                file.write("max_wal_size = 16MB\nmin_wal_size = 2MB\nrestart_after_crash = off\n")
        self.start()
        self.run("createdb", "-h", folder, "-U", "postgres", "parley")

    def mounts(self, folder):
        os.mkdir(folder)
        command = ["mount", "-t", "tmpfs", "-o", "size=48m,mode=755", "tmpfs", folder]
        if os.geteuid() != 0 or subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode:
            return False
        shutil.chown(folder, "postgres")
        return True

    def fill_log(self):
        """Fills the file system of the write-ahead log, and writes until the database ends for want of a segment."""
        with open(f"{self.log_disk}/filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(65_536))
            except OSError:
                pass
        try:
            self.query("SELECT count(pg_logical_emit_message(false, 'soak', repeat('x', 1000000))) FROM generate_series(1, 60)")
        except Failure:
            return
        raise Failure("the database writes on though its disk is full")

    def empty_log(self):
        os.unlink(f"{self.log_disk}/filler")

    def is_running(self):
        return subprocess.run(self.user + [self.bin + "pg_ctl", "-D", f"{self.folder}/data", "status"], cwd="/",
                              capture_output=True, check=False).returncode == 0

    def close(self):
        if self.is_running():
            self.stop()
        if self.log_disk:
            # An initdb that was interrupted may still write.
            subprocess.run(["umount", "--lazy", self.log_disk], check=True)

    def run(self, program, *arguments):
        done = subprocess.run(self.user + [self.bin + program, *arguments], cwd="/", capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise Failure(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        # The server keeps the descriptors that it gets.
        subprocess.run(self.user + [self.bin + "pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "start"],
                       cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def stop(self):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def query(self, sql):
        return self.run("psql", "-h", self.folder, "-U", "postgres", "-d", "parley", "-XAtq", "-v", "ON_ERROR_STOP=1",
                        "-c", sql).strip()


class Program:
    """A program that is started again after each kill."""

    def __init__(self, log, command, environment):
        self.log, self.command, self.environment = log, command, environment
        self.process, self.kills = None, 0

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=self.environment)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1


BUCKET_KEY = {"AWS_ACCESS_KEY_ID": "soak", "AWS_SECRET_ACCESS_KEY": "soak"}


def bucket(objects):
    return f"s3://{BUCKET}/parley?endpoint={objects}&region=us-east-1"


class Workers(Program):
    """Evaluations in processes of their own."""

    def __init__(self, name, work, program, database, objects):
        os.mkdir(f"{work}/{name}", 0o700)
        super().__init__(f"{work}/{name}.log", [
            program, "work", "--home", f"{work}/{name}", "--database", database, "--objects", bucket(objects)],
            os.environ | BUCKET_KEY)


class Instance(Program):
    """A server, on the same port after each kill."""

    def __init__(self, name, work, program, database, objects, workers=0):
        self.home, self.port = f"{work}/{name}", free_port()
        os.mkdir(self.home, 0o700)
        os.symlink(f"{work}/mail", f"{self.home}/mail")
        super().__init__(f"{work}/{name}.log", [
            program, "serve", "--home", self.home, "--port", str(self.port), "--public", f"https://{HOST}", "--mail",
            f"{work}/mail", "--proxies", "1", "--database", database, "--key-file", f"{work}/root-key", "--objects",
            bucket(objects), "--workers", str(workers)], os.environ | BUCKET_KEY | {
            "PARLEY_SERVER_MAILS_PER_NETWORK_AND_HOUR": "1000000", "PARLEY_SERVER_MAILS_PER_WINDOW": "1000",
            "PARLEY_SERVER_MAILS_PER_HOUR": "1000", "PARLEY_SERVER_MAILS_PER_HOUR_FROM_ALL": "1000",
            "PARLEY_SERVER_ATTEMPTS_PER_NETWORK_AND_TEN_MINUTES": "1000000",
            "PARLEY_SERVER_ACCOUNT_CALLS_PER_MINUTE": "0"})

    def is_ready(self):
        return self.readiness()[0] == 200

    def readiness(self):
        """Status and text of /readyz; 0 if nobody answers."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError as error:
            return 0, str(error)
