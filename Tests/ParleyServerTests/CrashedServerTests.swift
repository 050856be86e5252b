// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit
import Testing

/// The server as a process of its own that crashes.
@Suite(.timeLimit(.minutes(10))) struct CrashedServerTests {
    @Test func `the next start says once that there was a crash`() throws {
        let home = try TemporaryFolder()
        let first = try ServerProcess(home: home.path, environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(first.abort() == -SIGABRT)
        for isTold in [true, false] {
            let next = try ServerProcess(home: home.path)
            #expect(try next.log.contains { $0.contains("an earlier run crashed") } == isTold)
            #expect(next.stop() == 0)
        }
        let list = try ServerProcess.run(["crash", "list", "--home", home.path])
        #expect(list.code == 0 && list.output.contains("SIGABRT, parley-server "), "\(list)")
        let shown = try ServerProcess.run(["crash", "show", "--home", home.path])
        #expect(shown.output.contains("Stack of the thread\n") && shown.output.contains("\nLog\n"), "\(shown)")
        let id = try #require(list.output.split(separator: "\n").last?.split(separator: " ").first)
        #expect(try ServerProcess.run(["crash", "delete", String(id), "--home", home.path]).code == 0)
        #expect(try ServerProcess.run(["crash", "show", "--home", home.path]).code == 3)
    }
}
