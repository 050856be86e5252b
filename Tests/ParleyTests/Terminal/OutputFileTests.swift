// SPDX-License-Identifier: MIT

import Domain
import Foundation
import TestKit
import Testing

@testable import parley

@Suite("A file for a result")
struct OutputFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String { folder.file(name) }

    private func names() throws -> [String] { try folder.names() }

    @Test("replaces what was there at once, with its mode, and through a link")
    func replaces() throws {
        try Data("old".utf8).write(to: URL(filePath: path("real")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("real"))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "real")
        let file = try OutputFile(path("link"))
        try file.write(Array("ne".utf8))
        #expect(try String(contentsOfFile: path("real"), encoding: .utf8) == "old")
        try file.write(Array("w".utf8))
        try file.finish()
        #expect(try String(contentsOfFile: path("real"), encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "real")
        let attributes = try FileManager.default.attributesOfItem(atPath: path("real"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try names() == ["link", "real"])
    }

    @Test(arguments: ["real", "second"])
    func `a link to a missing file stays one`(_ first: String) throws {
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
        let link = path("folder/link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../\(first)")
        try FileManager.default.createSymbolicLink(atPath: path("second"), withDestinationPath: path("real"))
        try OutputFile.write("new", to: link)
        #expect(try String(contentsOfFile: path("real"), encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../\(first)")
        #expect(try names() == ["folder", "real", "second"])
    }

    @Test("leaves nothing behind unless it is finished")
    func unfinished() throws {
        do {
            let file = try OutputFile(path("new"))
            try file.write([1, 2, 3])
            #expect(try names().count == 1)
        }
        #expect(try names() == [])
    }

    @Test("writes to a pipe as it is")
    func pipe() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try OutputFile.write("text", to: path("pipe"))
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 4)
        #expect(try names() == ["pipe"])
    }

    @Test("says what to do when the folder is missing")
    func missingFolder() throws {
        let error = #expect(throws: DomainError.self) { _ = try OutputFile(path("no/such/file")) }
        #expect(error?.message.contains("Choose a folder that exists") == true)
    }
}
