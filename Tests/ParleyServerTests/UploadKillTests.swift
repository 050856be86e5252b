// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Networking
import ParleyServer
import TestKit
import Testing

/// Uploads that are broken off, by a client that goes away or a server that is killed.
@Suite(.timeLimit(.minutes(5))) struct UploadKillTests {
    /// What was on the disk when the server was killed is where the upload goes on; a piece that was to be checked begins anew.
    @Test(arguments: [false, true]) func aKilledServerGoesOnFromTheDisk(_ isChecked: Bool) async throws {
        let home = try TemporaryFolder()
        // Tokens say who gave them out, so it has to have the same address again.
        let arguments = ["--public", "http://127.0.0.1:1"]
        var server = try ServerProcess(home: home.path, arguments)
        let client = try ServerFixture.makeClient()
        let token = try await server.signIn(client)
        let sample = SoundSample(2_000_000)
        var headers: HTTPHeaders = ["Tus-Resumable": "1.0.0", "Authorization": "Bearer \(token)"]
        headers["Upload-Length"] = "\(sample.bytes.count)"
        headers["Upload-Metadata"] = SoundSample.metadata(try sample.values)
        let made = try await client.send(
            HTTPRequest(.post, try #require(URL(string: server.address + "/uploads")), headers: headers))
        try #require(made.status == 201)

        let port = try #require(URL(string: server.address)?.port)
        let connection = try RawConnection(port: port)
        let hash = Data(try MessageDigest.hash(sample.bytes, .sha256)).base64EncodedString()
        let head =
            "PATCH /uploads/\(sample.id) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n"
            + (isChecked ? "Upload-Checksum: sha256 \(hash)\r\n" : "")
            + "Content-Length: \(sample.bytes.count)\r\n\r\n"
        connection.send(head.utf8)
        connection.send(sample.bytes[..<1_200_000])
        let file = try await path(of: sample.id, in: home)
        try await eventually { try size(of: file) >= 500_000 }
        server.kill()
        let left = try size(of: file)
        #expect(left >= 500_000 && left <= 1_200_000)

        server = try ServerProcess(home: home.path, arguments)
        let second = try ServerFixture.makeClient()
        let url = try #require(URL(string: server.address + "/uploads/\(sample.id)"))
        let tus: HTTPHeaders = ["Tus-Resumable": "1.0.0", "Authorization": "Bearer \(token)"]
        let told = try await second.send(HTTPRequest(.head, url, headers: tus))
        let offset = try #require(told.headers["Upload-Offset"].flatMap { Int($0) })
        #expect(offset == (isChecked ? 0 : left))
        var rest = tus
        (rest["Upload-Offset"], rest["Content-Type"]) = ("\(offset)", "application/offset+octet-stream")
        let last = try await second.send(
            HTTPRequest(.patch, url, headers: rest, body: .bytes(Array(sample.bytes[offset...]))))
        #expect(last.status == 204)
        let content = try #require(URL(string: server.address + "/recordings/\(sample.id)/content"))
        let answer = try await second.send(HTTPRequest(.get, content, headers: tus))
        #expect(try await answer.body.collect(upTo: 4 << 20) == sample.bytes)
        #expect(server.stop() == 0)
    }

    @Test func aClientThatGoesAwayLeavesWhatItSent() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(900_000)
        _ = try await fixture.create(sample, as: ada)
        let file = try await path(of: sample.id, in: fixture.home)
        do {
            let connection = try RawConnection(port: fixture.port)
            connection.send(
                ("PATCH /uploads/\(sample.id) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                    + "Authorization: Bearer \(ada.token)\r\nContent-Type: application/offset+octet-stream\r\n"
                    + "Upload-Offset: 0\r\nContent-Length: \(sample.bytes.count)\r\n\r\n").utf8)
            connection.send(sample.bytes[..<600_000])
            try await eventually { try size(of: file) >= 256 << 10 }
            // While one request works on it, another may not.
            #expect(try await fixture.patch(sample.id, [1], at: 0, as: ada).status == 423)
        }
        var told = try await fixture.head(sample.id, as: ada)
        while told.status == 423 { told = try await fixture.head(sample.id, as: ada) }
        let offset = try #require(told.headers["Upload-Offset"].flatMap { Int($0) })
        #expect(try offset >= 256 << 10 && offset == size(of: file))
        #expect(try await fixture.patch(sample.id, sample.bytes[offset...], at: offset, as: ada).status == 204)
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        await fixture.stop()
    }

    /// A server that was killed between the last byte and the recording, or before the file was made.
    @Test func whatAKilledServerDidNotFinishIsFinished() async throws {
        let home = try TemporaryFolder()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        let (full, none, wrong) = (SoundSample(100), SoundSample(100, seed: 2), SoundSample(100, seed: 3))
        for sample in [full, none, wrong] { _ = try await fixture.create(sample, as: ada) }
        await fixture.stop()
        let folder = home.path + "/recordings/" + ada.account + "/"
        try Data(full.bytes).write(to: URL(filePath: folder + full.id))
        try FileManager.default.removeItem(atPath: folder + none.id)
        try Data(full.bytes).write(to: URL(filePath: folder + wrong.id))
        try Data([1, 2, 3]).write(to: URL(filePath: folder + "of-nobody"))
        // A younger one might be about to get its row.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder + "of-nobody")
        fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try fixture.soundFiles.count == 2)
        #expect(try await fixture.head(full.id, as: ada).headers["Upload-Offset"] == "100")
        #expect(try await fixture.call(.get, "/recordings/\(full.id)/content", as: ada).body == full.bytes)
        #expect(try await fixture.head(none.id, as: ada).headers["Upload-Offset"] == "0")
        #expect(try await fixture.patch(none.id, none.bytes, at: 0, as: ada).status == 204)
        #expect(try await fixture.head(wrong.id, as: ada).status == 404)
        try await fixture.upload(wrong, as: ada)
        await fixture.stop()
    }

    private func path(of id: String, in home: TemporaryFolder) async throws -> String {
        let root = home.path + "/recordings"
        let path = try FileManager.default.subpathsOfDirectory(atPath: root).first { $0.hasSuffix(id) }
        return root + "/" + (try #require(path))
    }

    private func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber).intValue
    }
}
