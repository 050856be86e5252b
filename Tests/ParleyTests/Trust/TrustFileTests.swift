// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Networking
import TestKit
import Testing

@testable import parley

@Suite struct TrustFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("trust.json") }
    private static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let other = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    init() throws { folder = try TemporaryFolder() }

    private func pin(_ text: String) throws -> PublicKeyPin {
        try #require(PublicKeyPin(base64: text))
    }

    @Test func `keys are added once, listed and removed`() throws {
        let file = TrustFile(path: path)
        let (key, other) = (try pin(Self.key), try pin(Self.other))
        #expect(try file.load().isEmpty)
        #expect(try file.add(key, for: "b.example"))
        #expect(try !file.add(key, for: "b.example"))
        #expect(try file.add(other, for: "b.example"))
        #expect(try file.add(key, for: "a.example"))
        #expect(try file.load() == ["a.example": [key], "b.example": [key, other]])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try file.remove(key, of: "b.example"))
        #expect(try !file.remove(key, of: "b.example"))
        #expect(try file.remove(nil, of: "b.example"))
        #expect(try file.load() == ["a.example": [key]])
    }

    @Test(arguments: [
        "", "[]", "{", #"{"pins": []}"#, #"{"pins": {"a": "\#(key)"}}"#, #"{"pins": {"a": []}}"#,
        #"{"pins": {"a": ["x"]}}"#, #"{"pins": {"a": ["\#(key)", 1]}}"#,
        #"{"pins": {"A.example": ["\#(key)"]}}"#,
        #"{"pins": {"": ["\#(key)"]}}"#, #"{"pins": null}"#,
    ])
    func `a damaged file is an error and never no pins`(content: String) throws {
        try Data(content.utf8).write(to: URL(filePath: path))
        #expect(throws: DomainError.self) { try TrustFile(path: path).load() }
    }
}
