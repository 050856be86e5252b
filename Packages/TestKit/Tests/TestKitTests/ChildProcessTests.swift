// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChildProcessTests {
    @Test func `a program's output and exit code are read`() throws {
        let result = try ChildProcess("sh", ["-c", "echo \"$WORD\"; exit 3"], environment: .adding(["WORD": "said"]))
            .finish()
        #expect(result.output == "said\n" && result.end == .exited(3) && result.code == 3)
    }

    @Test func `a killed program has said its whole lines`() throws {
        let child = try ChildProcess("sh", ["-c", "echo one; echo two; printf thr; exec sleep 600"])
        #expect(child.line() == "one")
        #expect(child.line() == "two")
        child.kill()
        #expect(child.lines() == [])
        #expect(child.wait() == .signalled(SIGKILL))
        #expect(child.wait() == .signalled(SIGKILL) && child.wait().code == -SIGKILL)
    }

    @Test func `a program that does not exist is an error`() {
        #expect { try ChildProcess("/nowhere/at-all") } throws: {
            ($0 as? ChildProcess.StartFailure)?.errno == ENOENT
        }
    }

    @Test func `it is killed with its owner`() throws {
        var child: ChildProcess? = try ChildProcess("sleep", ["600"])
        let id = try #require(child?.id)
        #expect(kill(id, 0) == 0)
        child = nil
        #expect(kill(id, 0) == -1 && errno == ESRCH)
    }

    @Test func `programs beside the tests are found`() throws {
        let path = ChildProcess.path(besideTests: "x")
        #expect(path.hasPrefix("/") && path.hasSuffix("/x"))
    }
}
