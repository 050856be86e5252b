// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Networking
import ObjectStore
import ObjectStoreTestSupport
import Persistence
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Uploads at two processes, one of which is killed.
@Suite(.enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"), .timeLimit(.minutes(5)))
struct SharedUploadKillTests {
    /// A process that is killed while it takes a body: the other one goes on behind its last full part.
    @Test func `a killed process leaves its parts to the other`() async throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        let url = try await DatabaseKind.newPostgresURL()
        let moto = try SoundPlace.moto.get()
        let configuration = try SoundPlace.configuration(of: one)
        let secret = moto.owner.secretKey.withExposed { String(decoding: $0, as: UTF8.self) }
        let key = one.file("root-key")
        try Data(String(repeating: "5a", count: 32).utf8).write(to: URL(filePath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let arguments = [
            "--public", "http://127.0.0.1:1", "--database", url, "--key-file", key, "--objects",
            "s3://\(configuration.bucket)/\(configuration.prefix?.text ?? "")?endpoint=\(configuration.endpoint)",
        ]
        let environment = ["AWS_ACCESS_KEY_ID": moto.owner.accessKey, "AWS_SECRET_ACCESS_KEY": secret]
        let killed = try ServerProcess(home: one.path, arguments, environment: environment)
        try two.shareMails(of: one)
        let other = try ServerProcess(home: two.path, arguments, environment: environment)
        let client = try ServerFixture.makeClient()
        let token = try await killed.signIn(client)
        let sample = SoundSample(12 << 20)
        let tus: HTTPHeaders = ["Tus-Resumable": "1.0.0", "Authorization": "Bearer \(token)"]
        var headers = tus
        headers["Upload-Length"] = "\(sample.bytes.count)"
        headers["Upload-Metadata"] = SoundSample.metadata(try sample.values)
        let made = try await client.send(
            HTTPRequest(.post, try #require(URL(string: other.address + "/uploads")), headers: headers))
        try #require(made.status == 201)

        let connection = try RawConnection(port: try #require(URL(string: killed.address)?.port))
        connection.send(
            ("PATCH /uploads/\(sample.id) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                + "Authorization: Bearer \(token)\r\nContent-Type: application/offset+octet-stream\r\n"
                + "Upload-Offset: 0\r\nContent-Length: \(sample.bytes.count)\r\n\r\n").utf8)
        connection.send(sample.bytes[..<(7 << 20)])
        let database = try await PostgresServerDatabase.open(url, logger: .disabled)
        try await eventually("a part counts") {
            let text = try await database.read { rows in
                try await rows.first("SELECT coalesce(pieces, '') AS pieces FROM upload", as: String.self)
            }
            guard let text, !text.isEmpty else { return false }
            return try StagedPieces(stored: text).length >= 5 << 20
        }
        await database.close()
        killed.kill()

        let address = try #require(URL(string: other.address + "/uploads/\(sample.id)"))
        var told = try await client.send(HTTPRequest(.head, address, headers: tus))
        try await eventually("the lease ends") {
            told = try await client.send(HTTPRequest(.head, address, headers: tus))
            return told.status != 423
        }
        let offset = try #require(told.headers["Upload-Offset"].flatMap { Int($0) })
        #expect(offset >= 5 << 20 && offset <= 7 << 20)
        headers = tus
        (headers["Upload-Offset"], headers["Content-Type"]) = ("\(offset)", "application/offset+octet-stream")
        let last = try await client.send(
            HTTPRequest(.patch, address, headers: headers, body: .bytes(Array(sample.bytes[offset...]))))
        #expect(last.status == 204)
        let content = try #require(URL(string: other.address + "/recordings/\(sample.id)/content"))
        let answer = try await client.send(HTTPRequest(.get, content, headers: tus))
        #expect(try await answer.body.collect(upTo: 16 << 20) == sample.bytes)
        #expect(other.stop() == 0)
    }
}
