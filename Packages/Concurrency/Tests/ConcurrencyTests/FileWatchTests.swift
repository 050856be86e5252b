// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import TestKit
import Testing

struct FileWatchTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The events until one holds.
    private func events(_ watch: FileWatch, until condition: (FileWatch.Event) -> Bool) -> [FileWatch.Event] {
        let pipe = WakePipe()
        var all: [FileWatch.Event] = []
        while !all.contains(where: condition), pipe.wait(for: watch.descriptor) == .ready { all += watch.events() }
        return all
    }

    @Test func `names that appear and go are reported in order`() throws {
        let watch = FileWatch([folder.path], for: [.created, .movedIn, .removed])
        #expect(watch.count == 1 && watch.events().isEmpty)
        for name in ["a", "a longer name", "b"] { try #require(mkdir(folder.file(name), 0o700) == 0) }
        try #require(rename(folder.file("a"), folder.file("c")) == 0)
        try #require(rmdir(folder.file("c")) == 0)
        // Created, created, created, moved from, moved to, removed.
        let names = events(watch) { $0.name == Array("c".utf8) }.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names.prefix(5) == ["a", "a longer name", "b", "a", "c"])
    }

    @Test func `a folder that goes ends its events`() throws {
        try #require(mkdir(folder.file("a"), 0o700) == 0)
        let watch = FileWatch([folder.file("a")], for: [.created, .removedItself])
        try #require(rmdir(folder.file("a")) == 0)
        #expect(events(watch) { $0.isLast }.contains { $0.name.isEmpty })
    }

    @Test func `a path that is missing is not watched`() {
        #expect(FileWatch([folder.file("nothing"), folder.path], for: .created).count == 1)
    }

    @Test func `a woken pipe ends each wait and its time limit`() {
        let pipe = WakePipe()
        #expect(pipe.isOpen && pipe.wait(for: -1, timeout: 0) == .timedOut)
        pipe.wake()
        #expect(pipe.wait(for: -1) == .woken && pipe.wait(for: -1) == .woken)
    }
}
