// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChildProgramTests {
    /// Runs a program to its end.
    private func run(_ program: ChildProgram) throws -> (output: String, end: RunningChild.End) {
        var program = program
        let ends = try ChildProgram.pipe()
        defer { close(ends.read) }
        program.output = .descriptor(ends.write)
        let child = try program.start()
        close(ends.write)
        let output = try FileHandle(fileDescriptor: ends.read).readToEnd() ?? Data()
        return (String(decoding: output, as: UTF8.self), child.wait())
    }

    private func shell(_ script: String) -> ChildProgram { ChildProgram("sh", ["-c", script]) }

    @Test func `a child ends with its code or signal`() throws {
        #expect(try run(shell("echo x; exit 3")) == ("x\n", .exited(3)))
        #expect(try run(shell("kill -TERM $$")) == ("", .killed(signal: SIGTERM)))
        let child = try shell("exit 4").start()
        #expect(child.wait() == .exited(4))
        #expect(child.wait() == .exited(4))
        #expect(child.pid == nil)
    }

    @Test func `a child has the environment and the directory`() throws {
        #expect(try run(ChildProgram("/usr/bin/env", environment: ["A": "1"])).output == "A=1\n")
        #expect(try run(ChildProgram("pwd", directory: "/usr")).output == "/usr\n")
    }

    @Test func `a child reads nothing and has no other file`() throws {
        // Without FD_CLOEXEC, as a careless library opens its files.
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        let other = fcntl(leaked, F_DUPFD, 100)
        defer { close(other) }
        #expect(try run(shell("cat; test -e /proc/$$/fd/\(other) && echo leaked; exit 0")) == ("", .exited(0)))
    }

    @Test func `a child ignores and blocks no signal`() throws {
        let lines = try run(ChildProgram("cat", ["/proc/self/status"])).output.split(separator: "\n")
        for name in ["SigBlk", "SigIgn"] {
            let line = try #require(lines.first { $0.hasPrefix(name) })
            let mask = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
            // glibc ignores its own two, 32 and 33, in each child.
            #expect(mask & ~(3 << 31) == 0, "\(line)")
        }
    }

    @Test(arguments: [true, false]) func `a child can have a session of its own`(_ isOwn: Bool) throws {
        var program = shell("cut -d ' ' -f 6 /proc/$$/stat; echo $$")
        program.hasOwnSession = isOwn
        let numbers = try run(program).output.split(separator: "\n")
        #expect(numbers.count == 2 && (numbers[0] == numbers[1]) == isOwn, "\(numbers)")
        #expect(isOwn || numbers[0] == "\(getsid(0))")
    }

    @Test func `what a child started ends with it`() async throws {
        let output = try run(shell("sleep 1000 >/dev/null & echo $!")).output
        let pid = try #require(Int32(output.dropLast()))
        try await eventually("it ends") {
            let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return state.map { $0.contains(") Z ") } ?? true
        }
    }

    @Test func `a signal reaches the group`() throws {
        let child = try shell("sleep 1000 & wait").start()
        child.signal(SIGKILL)
        #expect(child.wait() == .killed(signal: SIGKILL))
        child.signal(SIGKILL)
    }

    @Test(arguments: [
        (ChildProgram("no-such-program-here"), ENOENT), (ChildProgram("/"), EACCES), (ChildProgram("a\0b"), EINVAL),
        (ChildProgram("true", directory: "/no/such/folder"), ENOENT),
    ])
    func `a program that cannot start says why`(program: ChildProgram, code: Int32) {
        #expect(throws: ChildStartFailure(code: code)) { try program.start() }
    }
}
