// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc
import TestKit
import Testing

@Suite struct OpenFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `what is written at a place is read from there`() throws {
        let file = try OpenFile(folder.file("a"), O_RDWR | O_CREAT | O_EXCL)
        try file.write([1, 2, 3, 4])
        try [UInt8]([9, 9]).withUnsafeBytes { try file.write($0, at: 1) }
        try file.write([5])
        #expect(try file.bytes(at: 0, maximum: 100) == [1, 9, 9, 4, 5])
        #expect(try file.bytes(at: 3, maximum: 1) == [4] && file.bytes(at: 9, maximum: 4).isEmpty)
        try file.truncate(to: 2)
        try file.synchronize()
        #expect(try file.size() == 2 && OpenFile.contents(of: file.path, limit: 2) == [1, 9])
        #expect(try OpenFile.contents(of: file.path, limit: 1) == nil)
        #expect(try folder.mode("a") == 0o600)
    }

    @Test func `a maximum needs no memory`() throws {
        let file = try OpenFile(folder.write([1, 2], to: "a"), O_RDONLY)
        #expect(try file.bytes(at: 1, maximum: .max) == [2])
    }

    @Test func `a pipe is no empty file`() throws {
        let path = folder.file("pipe")
        mkfifo(path, 0o600)
        let error = #expect(throws: FileError.self) { try OpenFile.contents(of: path, O_RDONLY | O_NONBLOCK) }
        #expect(error == FileError("read", path, number: ESPIPE))
    }

    @Test func `a file that was replaced is not in its place`() throws {
        let path = try folder.write([1], to: "a")
        let file = try OpenFile(path, O_RDONLY)
        #expect(file.isInPlace)
        try DurableFile.replace(path, with: [2])
        #expect(!file.isInPlace)
        try DurableFile.remove(path)
        #expect(!file.isInPlace)
    }

    @Test func `a new file must not be there, and a link is not followed`() throws {
        let path = try folder.write([1], to: "a")
        var error = #expect(throws: FileError.self) { try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL) }
        #expect(error == FileError("create", path, number: EEXIST))
        symlink(path, folder.file("link"))
        error = #expect(throws: FileError.self) { try OpenFile(folder.file("link"), O_RDONLY | O_NOFOLLOW) }
        #expect(error?.number == ELOOP)
    }
}

@Suite struct PendingFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `what was there stays until the new file is whole, and keeps its mode`() throws {
        let path = try folder.write([1], to: "a", mode: 0o444)
        let pending = PendingFile(path)
        try pending.open().write([2])
        #expect(try folder.bytes("a") == [1])
        pending.discard()
        #expect(try folder.names() == ["a"])
        try pending.open().write([3])
        try pending.commit()
        #expect(try folder.bytes("a") == [3] && folder.mode("a") == 0o444 && folder.names() == ["a"])
    }

    @Test func `a link stays one`() throws {
        try folder.write([1], to: "a")
        symlink("a", folder.file("link"))
        let pending = PendingFile(folder.file("link"))
        try pending.open().write([2])
        try pending.commit()
        var status = stat()
        #expect(lstat(folder.file("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(try folder.bytes("a") == [2])
    }

    @Test func `a link to a missing file stays one`() throws {
        symlink("a", folder.file("link"))
        symlink(folder.file("link"), folder.file("other"))
        let pending = PendingFile(folder.file("other"))
        try pending.open().write([2])
        try pending.commit()
        #expect(try folder.bytes("a") == [2] && folder.names().sorted() == ["a", "link", "other"])
    }

    @Test func `two of one path replace it whole, one after the other`() throws {
        let (first, second) = (PendingFile(folder.file("a")), PendingFile(folder.file("a")))
        let files = try (first.open(), second.open())
        try files.1.write([2])
        try files.0.write([1])
        try first.commit()
        #expect(try folder.bytes("a") == [1])
        try files.1.write([2])
        try second.commit()
        #expect(try folder.bytes("a") == [2, 2] && folder.names() == ["a"])
    }

    @Test func `a file that may not be replaced stays`() throws {
        let path = folder.file("a")
        let pending = PendingFile(path)
        try pending.open().write([2])
        try folder.write([1], to: "a")
        let error = #expect(throws: FileError.self) { try pending.commit(replacing: false) }
        #expect(try error?.number == EEXIST && folder.bytes("a") == [1])
        pending.discard()
        #expect(try folder.names() == ["a"])
    }

    @Test func `a device is written to as it is`() throws {
        let pending = PendingFile("/dev/null")
        #expect(pending.isSpecial)
        try pending.open().write([1])
        try pending.commit()
        pending.discard()
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func `the error names the path that the person gave`() throws {
        let error = #expect(throws: FileError.self) { try PendingFile(folder.file("missing/a")).open() }
        #expect(error == FileError("create", folder.file("missing/a"), number: ENOENT))
    }
}
