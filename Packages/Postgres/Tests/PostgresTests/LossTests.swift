// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import PostgresTestSupport
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct LossTests {
    @Test func `a restart in a transaction loses nothing else`() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try PostgresDatabase(try PostgresConfiguration(url: try cluster.makeDatabase()))
        try await database.write { try await $0.execute("CREATE TABLE t (x int)") }
        await expect(.connection) {
            try await database.write { connection in
                try await connection.execute("INSERT INTO t VALUES (1)")
                try await BlockingCall.run { () throws(any Error) in try cluster.restart() }
                try await connection.execute("INSERT INTO t VALUES (2)")
            }
        }
        try await database.write { try await $0.execute("INSERT INTO t VALUES (3)") }
        let kept = try await database.read { try await $0.query("SELECT x FROM t", as: Int.self) }
        #expect(kept == [3])
        await database.close()
    }

    @Test func `waiters get a connection when the server is back`() async throws {
        let cluster = try await PostgresCluster.start()
        var configuration = try PostgresConfiguration(url: try cluster.makeDatabase())
        configuration.acquireTimeout = .seconds(60)
        let database = try PostgresDatabase(configuration)
        _ = try await database.read { try await $0.rows("SELECT 1") }
        await BlockingCall.run { cluster.stop() }
        async let answers = withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<10 {
                group.addTask { try await database.read { try await $0.first("SELECT \(number)", as: Int.self) } }
            }
            return try await group.reduce(into: 0) { $0 += $1 ?? 0 }
        }
        try await BlockingCall.run { () throws(any Error) in try cluster.start() }
        #expect(try await answers == 45)
        await database.close()
    }

    @Test func `an idle connection that is killed is replaced`() async throws {
        try await withDatabase({ $0.maximumConnections = 1 }) { database in
            for _ in 0..<5 {
                let process = try await database.read { try await $0.first("SELECT pg_backend_pid()", as: Int.self) }
                try await terminate(process)
                // The end of the connection is seen before the next use, or its place is taken by another one after that.
                try await eventually("a new connection") {
                    let next = try? await database.read { try await $0.first("SELECT pg_backend_pid()", as: Int.self) }
                    return next != nil && next != process
                }
            }
        }
    }

    @Test func `a killed transaction is an error of the shutdown`() async throws {
        try await withDatabase { database in
            let error = await expect(.shutdown) {
                try await database.write { connection in
                    let process = try await connection.first("SELECT pg_backend_pid()", as: Int.self)
                    async let sleep = connection.rows("SELECT pg_sleep(600)")
                    try await terminate(process)
                    _ = try await sleep
                }
            }
            #expect(error?.sqlState == "57P01")
            let one = try await database.read { try await $0.first("SELECT 1", as: Int.self) }
            #expect(one == 1)
        }
    }

    @Test func `a connection that is lost in COMMIT leaves the outcome open`() async throws {
        try await withDatabase { database in
            try await database.write { connection in
                try await connection.pipeline([
                    "CREATE TABLE t (x int)",
                    """
                    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$
                    """,
                    """
                    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION slow()
                    """,
                ])
            }
            let attempts = Monitor(0)
            let process = Promise<Int?>()
            async let killed: Void = terminateInCommit(process, database)
            await expect(.commitUnknown) {
                try await database.write { connection in
                    attempts.withLock { $0 += 1 }
                    process.resolve(.success(try await connection.first("SELECT pg_backend_pid()", as: Int.self)))
                    try await connection.execute("INSERT INTO t VALUES (1)")
                }
            }
            try await killed
            #expect(attempts.withLock { $0 } == 1)
        }
    }

    private func terminateInCommit(_ process: Promise<Int?>, _ database: PostgresDatabase) async throws {
        let process = try await process.value()
        try await eventually("a running COMMIT") {
            try await database.read {
                try await $0.first(
                    "SELECT query = 'COMMIT' AND state = 'active' FROM pg_stat_activity WHERE pid = \(process)::int",
                    as: Bool?.self) == .some(true)
            }
        }
        try await terminate(process)
    }

    /// Ends a backend by another connection.
    private func terminate(_ process: Int?) async throws {
        try await withDatabase { other in
            let isDone = try await other.read {
                try await $0.first("SELECT pg_terminate_backend(\(process)::int)", as: Bool.self)
            }
            #expect(isDone == true)
        }
    }

    // MARK: Several hosts

    @Test func `a silent host gives way to the next`() async throws {
        let (socket, port) = TestCertificates.boundSocket()
        defer { close(socket) }
        #expect(listen(socket, 8) == 0)
        try await withDatabase({
            $0.hosts.insert(.init("127.0.0.1", port: port), at: 0)
            $0.connectTimeout = .seconds(1)
        }) { database in
            let one = try await database.read { try await $0.first("SELECT 1", as: Int.self) }
            #expect(one == 1)
        }
    }

    @Test func `a silent address of a host gives way to its next one`() async throws {
        let folder = try TemporaryFolder()
        let certificates = try TestCertificates(in: folder)
        let cluster = try await PostgresCluster.start(
            tcp: .init(
                certificate: certificates.certificate, key: certificates.key, port: TestCertificates.freePort))
        let (socket, port) = TestCertificates.boundSocket(at: 2, port: cluster.port)
        defer { close(socket) }
        #expect(port == cluster.port && listen(socket, 8) == 0)
        try cluster.psql("CREATE ROLE me LOGIN PASSWORD 'sesame'")
        var configuration = PostgresConfiguration(
            hosts: [.init("localhost", port: port)], database: "postgres", user: "me", password: "sesame")
        configuration.trustedCertificates = certificates.authority
        configuration.connectTimeout = .seconds(1)
        let loop = try PostgresLoop()
        defer { loop.stop() }
        _ = try await OpenedConnection.open(configuration, loop: loop) { _ in ["127.0.0.2", "127.0.0.1"] }
        #expect(OpenedConnection.addresses(of: "127.0.0.1") == ["127.0.0.1"])
        #expect(OpenedConnection.addresses(of: "localhost").contains("127.0.0.1"))
        #expect(OpenedConnection.addresses(of: "no such host") == [])
    }

    @Test func `a host that only reads gives way to one that writes`() async throws {
        let reading = try await PostgresCluster.start(settings: ["default_transaction_read_only = on"])
        try await withDatabase({
            $0.hosts.insert(.init(reading.socketFolder), at: 0)
            ($0.database, $0.target) = ("postgres", .readWrite)
        }) { database in
            let reads = try await database.read {
                try await $0.first("SHOW default_transaction_read_only", as: String.self)
            }
            #expect(reads == "off")
        }
    }

    @Test func `the error of several hosts has the words of each`() async throws {
        let (socket, port) = TestCertificates.boundSocket()
        close(socket)
        let reading = try await PostgresCluster.start(settings: ["default_transaction_read_only = on"])
        try await withDatabase({
            $0.hosts = [.init("127.0.0.1", port: port), .init(reading.socketFolder)]
            ($0.database, $0.target, $0.acquireTimeout) = ("postgres", .readWrite, .seconds(1))
        }) { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.read { try await $0.first("SELECT 1", as: Int.self) }
            }
            #expect(error?.message.contains("refused") == true && error?.message.contains("read-only") == true)
        }
    }

    // MARK: A full disk

    /// A small file system in memory, for root alone.
    private final class SmallDisk {
        let path: String

        init?(_ folder: TemporaryFolder) {
            path = folder.path
            let mount = try? ChildProcess(
                "mount", ["-t", "tmpfs", "-o", "size=2m,uid=postgres,mode=0700", "tmpfs", path], errors: .discarded)
            guard mount?.finish().code == 0 else { return nil }
        }

        deinit { _ = try? ChildProcess("umount", ["-l", path], errors: .discarded).finish() }
    }

    private static let canMount =
        (try? TemporaryFolder()).flatMap { folder in SmallDisk(folder).map { _ in true } } ?? false

    @Test(.enabled(if: canMount, "needs the right to mount")) func `a full disk is an error and undoes all`()
        async throws
    {
        let folder = try TemporaryFolder()
        let disk = try #require(SmallDisk(folder))
        let cluster = try await PostgresCluster.start()
        let database = try PostgresDatabase(try PostgresConfiguration(url: try cluster.makeDatabase()))
        try cluster.psql("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        try await database.write { try await $0.execute("CREATE TABLE t (x text) TABLESPACE small") }
        let text = String(repeating: "0123456789abcdef", count: 64)
        let error = await expect(.diskFull) {
            try await database.write { connection in
                for _ in 0..<10_000 { try await connection.execute("INSERT INTO t VALUES (\(text))") }
            }
        }
        #expect(error?.sqlState == "53100")
        #expect(try await database.read { try await $0.first("SELECT count(*) FROM t", as: Int.self) } == 0)
        await database.close()
        cluster.stop()
    }
}
