// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// parley-server, and GoTrue's own client for Python in a process of its own.
@Suite(.timeLimit(.minutes(5))) struct GoTrueClientTests {
    @Test func `the official Python client signs in and out`() async throws {
        let parley = try ParleyProcess()
        let server = try SignInServer(home: parley.path("server"))
        #expect(
            try await lines(of: "gotrue_client.py", [server.address], server) == ["mail 1", "mail 2", "mail 3", "done"])
    }

    @Test func `the official Python client administers accounts`() async throws {
        let parley = try ParleyProcess()
        let home = parley.path("server")
        let server = try SignInServer(home: home, arguments: ["--admin", "operator"])
        let made = try ChildProcess(
            ParleyProcess.executable + "-server", ["service-token", "--home", home], errors: .discarded
        ).finish()
        let token = made.output.trimmingCharacters(in: .newlines)
        #expect(
            try await lines(of: "gotrue_admin.py", [server.metrics, server.address, token], server)
                == ["mail 1", "mail 2", "done"])
    }

    /// Runs a program of the client to its end, and gives it the mails that it asks for.
    private func lines(of program: String, _ arguments: [String], _ server: SignInServer) async throws -> [String] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        let process = try ChildProcess(
            python, ["\(root)/Tests/EndToEndTests/Fixtures/\(program)"] + arguments, input: .pipe, errors: .captured)
        var lines: [String] = []
        while let line = await process.detached({ $0.line() }) {
            lines.append(line)
            guard line.hasPrefix("mail "), let number = Int(line.dropFirst(5)) else { continue }
            let mail = try await server.mail(number)
            let answer = try JSONEncoder().encode(["link": mail.link, "code": mail.code])
            process.write(String(decoding: answer, as: UTF8.self) + "\n")
        }
        let result = await process.finished()
        #expect(result.code == 0, "\(result.errors)")
        return lines
    }
}
