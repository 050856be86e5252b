// SPDX-License-Identifier: MIT

import Foundation
import ParleyServer
import TestKit
import Testing

/// GoTrue's own client for Python, each request of which reaches another instance than the last.
@Suite(.timeLimit(.minutes(5))) struct GoTrueInstancesTests {
    @Test func `the official Python client signs in at two instances`() async throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        let instances = try await Instances(2)
        let process = try ChildProcess(
            python,
            ["\(root)/Tests/EndToEndTests/Fixtures/gotrue_client.py"] + instances.all.map(\.server.address),
            input: .pipe, errors: .captured)
        var lines: [String] = []
        var known: Set<String> = []
        while let line = await process.detached({ $0.line() }) {
            lines.append(line)
            guard line.hasPrefix("mail ") else { continue }
            let mail = try await instances[0].mail(besides: known)
            known = try instances[0].mailNames
            let link = try #require(mail.firstMatch(of: /http:.*&type=magiclink/)?.output)
            let answer = ["link": String(link), "code": try ServerFixture.proofs(in: mail).code]
            process.write(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n")
        }
        let result = await process.finished()
        #expect(result.code == 0, "\(result.errors)")
        #expect(lines == ["mail 1", "mail 2", "mail 3", "done"])
        await instances.stop()
    }
}
