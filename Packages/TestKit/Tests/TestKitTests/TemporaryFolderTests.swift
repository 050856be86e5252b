// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct TemporaryFolderTests {
    @Test func `files have what was written and the permissions that were asked for`() throws {
        let folder = try TemporaryFolder()
        #expect(try folder.names() == [])
        #expect(try folder.write([1, 2, 3], to: "b") == folder.file("b"))
        try folder.write("text", to: "a")
        #expect(try folder.names() == ["a", "b"])
        #expect(try folder.bytes("b") == [1, 2, 3] && folder.size("b") == 3 && folder.mode("b") == 0o600)
        try folder.write([1], to: "b", mode: 0o644)
        #expect(try folder.mode("b") == 0o644)
        #expect(throws: CocoaError.self) { try folder.size("none") }
    }

    @Test func `it goes with its last reference`() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
