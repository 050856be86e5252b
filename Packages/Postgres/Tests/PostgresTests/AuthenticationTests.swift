// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import PostgresTestSupport
import TestKit
import Testing

@testable import Postgres

/// A password by SCRAM over TCP with TLS, whose certificate comes from an authority of the test's.
@Suite(.timeLimit(.minutes(5))) struct AuthenticationTests {
    @Test func `TLS and passwords are checked`() async throws {
        let folder = try TemporaryFolder()
        let certificates = try TestCertificates(in: folder)
        let (taken, takenPort) = TestCertificates.boundSocket()
        defer { close(taken) }
        #expect(listen(taken, 1) == 0)
        let attempts = Guarded(0)
        let cluster = try await PostgresCluster.start(
            tcp: .init(certificate: certificates.certificate, key: certificates.key) {
                let isFirst = attempts.withLock { count in
                    count += 1
                    return count == 1
                }
                // As if another process had taken the first one meanwhile.
                return isFirst ? takenPort : TestCertificates.freePort()
            })
        let port = cluster.port
        #expect(port != takenPort && attempts.withLock { $0 } >= 2)
        try cluster.psql("CREATE ROLE me LOGIN PASSWORD 'sesame'")
        let sink = RingSink(capacity: 100)

        func use(
            host: String = "localhost", password: String? = "sesame",
            _ change: (inout PostgresConfiguration) -> Void = { _ in }
        ) async throws -> String? {
            var configuration = PostgresConfiguration(
                hosts: [.init(host, port: port)], database: "postgres", user: "me", password: password)
            configuration.trustedCertificates = certificates.authority
            configuration.acquireTimeout = .seconds(20)
            change(&configuration)
            let database = try PostgresDatabase(configuration, logger: Logger(category: "test", sink: sink))
            do {
                let version = try await database.read { connection in
                    try await connection.first(
                        "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()", as: String.self)
                }
                await database.close()
                return version
            } catch {
                await database.close()
                throw error
            }
        }

        #expect(try await use() == "TLSv1.3")
        // The certificate names localhost, and no address.
        await expect(.tls) { try await use(host: "127.0.0.1") }
        #expect(try await use(host: "127.0.0.1") { $0.tls = .verifyCA } == "TLSv1.3")
        await expect(.tls) { try await use { $0.trustedCertificates = nil } }
        #expect(try await use { ($0.trustedCertificates, $0.tls) = (nil, .unverified) } == "TLSv1.3")
        // The server takes no plain connection.
        await expect(.authentication) { try await use { $0.tls = .disabled } }
        // Passwords.
        let error = await expect(.authentication) { try await use(password: "wrong-sesame") }
        #expect(error?.sqlState == "28P01" && error?.message.contains("sesame") == false)
        await expect(.authentication) { try await use(password: nil) { $0.passwordFile = "/dev/null" } }
        let file = try folder.write("localhost:\(port):postgres:me:sesame\n", to: "pass")
        #expect(try await use(password: nil) { $0.passwordFile = file } == "TLSv1.3")
        await expect(.undefinedDatabase) { try await use { $0.database = "missing" } }
        let records = sink.snapshot()
        #expect(!records.isEmpty && !records.contains { "\($0)".contains("sesame") })
        // The second host is tried after the first.
        let both = try await use { $0.hosts.insert(.init("localhost", port: 1), at: 0) }
        #expect(both == "TLSv1.3")
    }

    @Test(arguments: [
        "connection to server at \"db-ssl.example\" (10.0.0.7), port 5432 failed: Connection refused",
        "connection to server on socket \"/run/scram/.s.PGSQL.5432\" failed: No such file or directory",
        "could not translate host name \"certificate.example\" to address: Name or service not known",
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: SSL SYSCALL error: Connection reset by peer",
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: SSL SYSCALL error: EOF detected",
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: SSL error: unexpected eof while reading",
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: could not send SSL negotiation packet: Broken pipe",
    ])
    func `a passing failure to connect is not one of TLS`(text: String) {
        #expect(PostgresError(opening: text, needsPassword: false).code == .connection)
    }

    @Test(arguments: [
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: SSL error: certificate verify failed",
        "connection to server at \"h\" (10.0.0.7), port 5432 failed: server does not support SSL, but SSL was required",
        "root certificate file \"/etc/ssl/ca.pem\" does not exist",
    ])
    func `a lasting failure of TLS is one`(text: String) {
        #expect(PostgresError(opening: text, needsPassword: false).code == .tls)
    }
}
