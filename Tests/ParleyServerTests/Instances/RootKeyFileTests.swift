// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

@testable import ParleyServer

/// The file of root keys is read again while the server runs.
@Suite(.timeLimit(.minutes(5))) struct RootKeyFileTests: RootKeySuite {
    @Test func `a bad file leaves the keys and is told`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("root-key")
        let ring = RingSink(capacity: 1_000)
        func write(_ text: String, mode: Int = 0o600) throws {
            try? FileManager.default.removeItem(atPath: path)
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try write(Self.old)
        let root = try ServerRootKey(file: path)
        let fixture = try await ServerFixture(logger: Logger(category: "server", sink: ring)) { $0.rootKey = root }
        let mail = try await fixture.askForMail()
        var token = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code]
        ).refreshToken
        let ten = (0..<10).map { Self.digits("1\($0)") + "\n" }.joined()
        let bad: [(String, String, Int)] = [
            ("empty", "", 0o600), ("damaged", String(Self.old.dropLast()) + "\n", 0o600),
            ("a damaged second line", Self.old + "\nx\n", 0o600),
            ("too long", Self.old + String(repeating: "\n", count: 5_000), 0o600),
            ("too many", ten, 0o600), ("one key twice", Self.old + "\n" + Self.old, 0o600),
            ("readable by others", Self.new + "\n" + Self.old, 0o644), ("without the key in use", Self.new, 0o600),
        ]
        for (name, content, mode) in bad {
            try write(content, mode: mode)
            await #expect(throws: (any Error).self, "\(name)") {
                try await fixture.server.reloadRootKeys { try ServerRootKey(file: path) }
            }
            let ready = try await fixture.get("/readyz")
            #expect(ready.status == 200 && text(ready).contains(#""keys":"stale""#), "\(name): \(text(ready))")
            token = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token]).refreshToken
        }
        for place in [folder.path, folder.file("missing")] {
            #expect(throws: SettingError.self) { _ = try ServerRootKey(file: place) }
        }
        try write(Self.new + "\r\n\n" + Self.old + "\n")
        try await fixture.server.reloadRootKeys { try ServerRootKey(file: path) }
        #expect(text(try await fixture.get("/readyz")).contains(#""keys":"ok""#))
        token = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token]).refreshToken
        await fixture.stop()
        let lines = ring.snapshot().map { "\($0.category) \($0.message.text) \($0.metadata)" }
        #expect(lines.contains { $0.contains("were not read again") })
        #expect(lines.contains { $0.hasPrefix("audit root-key-rotation") && !$0.contains("invalid") })
        for digits in [Self.old, Self.new] { #expect(!lines.contains { $0.contains(digits) }) }
    }

    @Test func `SIGHUP reads the file of a running server again`() async throws {
        let home = try TemporaryFolder()
        let path = home.file("root-key")
        func write(_ keys: String...) throws {
            try Data(keys.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        func status() throws -> String {
            try ServerProcess.run(["keys", "status", "--home", home.path, "--key-file", path]).output
        }
        try write(Self.old)
        let server = try ServerProcess(home: home.path, ["--key-file", path])
        _ = try await server.signIn(ServerFixture.makeClient())
        #expect(try status().contains("in use"))
        try write("nonsense")
        server.hangUp()
        try await eventually("the mistake is told") { try server.log.contains { $0.contains("the earlier ones stay") } }
        try write(Self.new, Self.old)
        server.hangUp()
        try await eventually("the change is told") { try server.log.contains { $0.contains("root-key-rotation") } }
        let lines = try status().split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[1].contains("in use") && lines[2].contains("  needed  "), "\(lines)")
        #expect(server.stop() == 0)
    }
}
