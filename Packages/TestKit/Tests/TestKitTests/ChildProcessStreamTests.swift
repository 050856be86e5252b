// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

/// What goes in and comes out of a program.
@Suite(.timeLimit(.minutes(5))) struct ChildProcessStreamTests {
    /// More than pipes hold, so that a reader or writer that waits for one stream only would wait for good.
    private static let long = 300_000

    @Test func `bytes are its standard input`() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: Self.long)
        #expect(try ChildProcess("cat", input: .bytes(bytes)).finish().output.utf8.elementsEqual(bytes))
        #expect(try ChildProcess("cat").finish().output.isEmpty)
    }

    @Test func `a conversation goes through its pipes`() throws {
        let child = try ChildProcess("sed", ["-u", "s/^/got /"], input: .pipe)
        for word in ["one", "two"] {
            #expect(child.write(word + "\n"))
            #expect(child.line() == "got " + word)
        }
        #expect(child.isRunning)
        child.closeInput()
        #expect(!child.write("three\n"))
        #expect(child.finish().end == .exited(0))
        #expect(!child.isRunning)
    }

    @Test func `writing to a program that has ended ends no test`() throws {
        let child = try ChildProcess("true", input: .pipe)
        child.wait()
        #expect(!child.write("too late\n"))
        var pending = sigset_t()
        #expect(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0)
    }

    @Test func `both outputs are read whole`() throws {
        let script = "head -c \(Self.long) /dev/zero; head -c \(Self.long) /dev/zero >&2; echo end; echo end >&2"
        let result = try ChildProcess("sh", ["-c", script], errors: .captured).finish()
        for text in [result.output, result.errors] {
            #expect(text.utf8.count == Self.long + 4 && text.hasSuffix("end\n"))
        }
    }

    @Test func `outputs go where they are sent`() throws {
        let folder = try TemporaryFolder()
        let script = ["-c", "pwd; echo oops >&2; pwd"]
        let merged = try ChildProcess("sh", script, folder: folder.path, errors: .output).finish()
        #expect(merged.output == "\(folder.path)\noops\n\(folder.path)\n" && merged.errors.isEmpty)
        try folder.write("something longer than that\n", to: "errors")
        let filed = try ChildProcess(
            "sh", script, output: .file(folder.file("output")), errors: .file(folder.file("errors"))
        ).finish()
        #expect(filed.output.isEmpty && filed.errors.isEmpty)
        #expect(try folder.bytes("errors") == Array("oops\n".utf8) && folder.size("output") > 0)
        let none = try ChildProcess("sh", script, output: .discarded, errors: .discarded).finish()
        #expect(none.output.isEmpty && none.errors.isEmpty && none.end == .exited(0))
    }

    @Test func `text that was looked for stays to be read`() throws {
        let child = try ChildProcess("sh", ["-c", "echo one; echo two; read word; echo $word"], input: .pipe)
        #expect(child.text(until: "two").hasPrefix("one\ntwo"))
        #expect(child.line() == "one")
        child.write("three\n")
        #expect(child.text(until: "nothing like that") == "two\nthree\n")
        #expect(String(decoding: child.bytes(), as: UTF8.self) == "two\nthree\n" && child.bytes().isEmpty)
    }

    @Test func `a deadline ends the wait for a line`() throws {
        let child = try ChildProcess("sh", ["-c", "echo one; exec sleep 600"])
        #expect(try child.line(by: nil) == "one")
        #expect(throws: ChildProcess.TimeIsUp.self) { try child.line(by: .now) }
        child.kill()
        #expect(try child.line(by: .now + .seconds(600)) == nil)
    }

    @Test func `a terminal is its three streams`() throws {
        let child = try ChildProcess(
            "sh", ["-c", "[ -t 0 -a -t 1 -a -t 2 ] && read word </dev/tty; echo got $word"], input: .terminal)
        #expect(child.write("word\n"))
        #expect(child.text(until: "got").contains("got"))
        #expect(child.lines().last == "got word\r")
        #expect(child.wait() == .exited(0))
    }

    @Test func `a terminal has a size`() throws {
        let child = try ChildProcess(
            "sh", ["-c", "stty size; read go; stty size"], input: .sizedTerminal(columns: 40, rows: 7))
        #expect(child.line() == "7 40\r")
        child.resizeTerminal(columns: 3, rows: 2)
        child.write("\n")
        #expect(child.text(until: "2 3").contains("2 3"))
    }

    @Test func `a terminal is hung up while it is read`() async throws {
        let child = try ChildProcess("sh", ["-c", "echo ready; exec sleep 600"], input: .terminal)
        #expect(child.line() == "ready\r")
        async let end = child.detached { child in
            while !child.bytes().isEmpty {}
            return child.wait()
        }
        child.closeInput()
        #expect(await end == .signalled(SIGHUP))
    }
}
