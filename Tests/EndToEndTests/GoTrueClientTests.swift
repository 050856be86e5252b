// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// parley-server, and GoTrue's own client for Python in a process of its own.
@Suite(.timeLimit(.minutes(3))) struct GoTrueClientTests {
    @Test func `the official Python client signs in and out`() async throws {
        let parley = try ParleyProcess()
        let server = try SignInServer(home: parley.path("server"))
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [root + "/Tests/EndToEndTests/Fixtures/gotrue_client.py", server.address]
        let (input, output, errors) = (Pipe.uninherited(), Pipe.uninherited(), parley.path("errors"))
        try Data().write(to: URL(filePath: errors))
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
        var lines: [String] = []
        while true {
            let line = await Self.line(output.fileHandleForReading)
            guard !line.isEmpty else { break }
            lines.append(line)
            guard line.hasPrefix("mail "), let number = Int(line.dropFirst(5)) else { continue }
            let mail = try await server.mail(number)
            let answer = try JSONEncoder().encode(["link": mail.link, "code": mail.code])
            try input.fileHandleForWriting.write(contentsOf: answer + Data("\n".utf8))
        }
        process.waitUntilExit()
        let complaint = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(complaint)")
        #expect(lines == ["mail 1", "mail 2", "mail 3", "done"])
    }

    /// The next line; empty at the end.
    private static func line(_ handle: FileHandle) async -> String {
        let line = try? await onThread {
            var bytes: [UInt8] = []
            while let byte = try? handle.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
        return line ?? ""
    }
}
