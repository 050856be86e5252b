// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

@testable import DurableFiles

@Suite struct DurableFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file is replaced as a whole, and nothing is left beside it`() throws {
        let path = folder.file("a")
        try DurableFile.replace(path, with: [1, 2])
        try DurableFile.replace(path, with: [3], mode: 0o640)
        #expect(try folder.bytes("a") == [3] && folder.mode("a") == 0o640)
        #expect(try folder.names() == ["a"])
    }

    @Test func `a content that does not reach the disk leaves the old one`() throws {
        let path = try folder.write([7], to: "a")
        let error = #expect(throws: FileError.self) {
            try DurableFile.replace(path, with: [8]) { file throws(FileError) in
                throw FileError("save", file.path, number: ENOSPC)
            }
        }
        #expect(error?.isDiskFull == true && error?.description.hasSuffix(": No space left on device.") == true)
        #expect(try folder.bytes("a") == [7] && folder.names() == ["a"])
    }

    @Test func `a full device is an error, and no success`() throws {
        let file = try OpenFile("/dev/full", O_WRONLY)
        let error = #expect(throws: FileError.self) { try file.write([1]) }
        #expect(error == FileError("write", "/dev/full", number: ENOSPC))
    }

    /// A process is killed while it replaces one file over and over: each time the file has one content, whole.
    @Test func `a killed program leaves one content or the other`() async throws {
        let path = folder.file("a")
        try DurableFile.replace(path, with: [UInt8](repeating: 0, count: 40_000))
        for _ in 0..<20 {
            let before = try folder.bytes("a")[0]
            let end = try await withForkedProcess {
                var byte = before
                while true {
                    byte &+= 1
                    do throws(FileError) {
                        try DurableFile.replace(path, with: [UInt8](repeating: byte, count: 40_000), isDurable: false)
                    } catch { _exit(1) }
                }
            } whileRunning: { _ in
                try await eventually { try folder.bytes("a")[0] != before }
            }
            #expect(end & 0x7F == SIGKILL)
            let bytes = try folder.bytes("a")
            #expect(bytes.count == 40_000 && Set(bytes).count == 1)
        }
    }

    @Test func `a forked process ends when its test is cancelled`() async throws {
        let (ids, continuation) = AsyncStream.makeStream(of: pid_t.self)
        let test = Task {
            try await withForkedProcess {
                while true { pause() }
            } whileRunning: { id in
                continuation.yield(id)
                try await eventually { false }
            }
        }
        let id = try #require(await ids.first { _ in true })
        test.cancel()
        await #expect(throws: ConditionNeverHeld.self) { try await test.value }
        #expect(waitpid(id, nil, WNOHANG) == -1 && errno == ECHILD, "it was killed and waited for")
    }

    @Test func `moving and removing are no errors where there is nothing to do`() throws {
        let (a, b) = (try folder.write([1], to: "a"), folder.file("b"))
        try DurableFile.move(a, to: b)
        #expect(try folder.names() == ["b"])
        try DurableFile.remove(b)
        try DurableFile.remove(b)
        #expect(try folder.names().isEmpty)
        let error = #expect(throws: FileError.self) { try DurableFile.move(a, to: b) }
        #expect(error?.isMissing == true)
    }

    @Test func `folders are made with those above them`() throws {
        try DurableFile.makeFolder(folder.file("x/y/z"))
        try DurableFile.makeFolder(folder.file("x/y/z"))
        #expect(try folder.mode("x/y/z") == 0o700 && folder.mode("x") == 0o700)
        try folder.write([], to: "file")
        let error = #expect(throws: FileError.self) { try DurableFile.makeFolder(folder.file("file/z")) }
        #expect(error?.number == ENOTDIR)
    }

    @Test func `only a folder counts as an existing folder`() throws {
        try folder.write([], to: "file")
        symlink("missing", folder.file("dangling"))
        for name in ["file", "dangling", "dangling/x"] {
            let error = #expect(throws: FileError.self) { try DurableFile.makeFolder(folder.file(name)) }
            #expect(error?.number == ENOTDIR)
        }
        #expect(throws: FileError.self) { try DurableFile.makeFolder("") }
        symlink(folder.path, folder.file("link"))
        try DurableFile.makeFolder(folder.file("link"))
        try DurableFile.makeFolder(folder.file("link/x/y/"))
        #expect(try folder.names() == ["dangling", "file", "link", "x"])
    }

    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("/", "/"), ("a/\u{301}b", "a")])
    func `the folder of a path`(_ path: String, _ expected: String) {
        #expect(DurableFile.folder(of: path) == expected)
    }

    @Test func `a name with a NUL is refused`() {
        let error = #expect(throws: FileError.self) { try OpenFile(folder.file("a\0b"), O_RDWR | O_CREAT) }
        #expect(error?.number == EINVAL)
    }

    @Test func `no operation takes the beginning of a name with a NUL`() throws {
        let (path, other) = (try folder.write([1], to: "a"), folder.file("b"))
        let operations: [(String) throws -> Void] = [
            { try DurableFile.replace($0, with: [2]) },
            { try DurableFile.replace(other, with: [2], suffix: $0) },
            { _ = try DurableFile.create($0, with: [2], temporary: other) },
            { _ = try DurableFile.create(other, with: [2], temporary: $0) },
            { try DurableFile.move(path, to: $0) },
            { try DurableFile.move($0, to: other) },
            { try DurableFile.remove($0) },
            { try DurableFile.makeFolder($0) },
            { _ = try PendingFile($0).open() },
        ]
        for (index, operation) in operations.enumerated() {
            let error = #expect(throws: FileError.self) { try operation(path + "\0.new") }
            #expect(error?.number == EINVAL, "operation \(index)")
        }
        #expect(try folder.bytes("a") == [1] && folder.names() == ["a"])
    }
}
