// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TestKit
import Testing

@testable import DurableFiles

struct NewFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a new file is made once and never replaced`() throws {
        let path = folder.file("a")
        #expect(try DurableFile.create(path, with: [1], temporary: folder.file("t")))
        #expect(try !DurableFile.create(path, with: [2], temporary: folder.file("t")))
        #expect(try folder.bytes("a") == [1] && folder.mode("a") == 0o600)
        #expect(try folder.names() == ["a"])
    }

    @Test func `a link that leads nowhere is in the way`() throws {
        try #require(symlink("nowhere", folder.file("a")) == 0)
        #expect(try !DurableFile.create(folder.file("a"), with: [1], temporary: folder.file("t")))
        #expect(try folder.names() == ["a"])
    }

    @Test func `a folder that is missing is an error`() throws {
        let error = #expect(throws: FileError.self) {
            try DurableFile.create(folder.file("x/a"), with: [1], temporary: folder.file("x/t"))
        }
        #expect(error?.isMissing == true)
    }

    @Test(arguments: NewName.allCases) func `of eight writers one makes the file, in each way`(way: NewName) throws {
        for round in 0..<20 {
            let path = folder.file("a\(round)")
            for writer in 0..<8 { try folder.write([UInt8(writer)], to: "\(round).\(writer)") }
            let wins = Counter()
            DispatchQueue.concurrentPerform(iterations: 8) { writer in
                let isNew = try? NewName.give(path, to: folder.file("\(round).\(writer)"), ways: [way])
                wins.add(isNew == nil ? 100 : isNew == true ? 1 : 0)
            }
            #expect(wins.total == 1, "by \(way)")
            #expect(try folder.bytes("a\(round)").count == 1)
            #expect(try folder.names().filter { $0.hasPrefix("\(round).") }.count == 7)
        }
    }

    @Test func `a file for a person takes a free place and no other`() throws {
        for isFree in [true, false] {
            let file = PendingFile(folder.file("result"))
            try file.open().write([isFree ? 1 : 2])
            guard !isFree else {
                try file.commit(replacing: false)
                continue
            }
            let error = #expect(throws: FileError.self) { try file.commit(replacing: false) }
            #expect(error?.number == EEXIST)
            file.discard()
        }
        #expect(try folder.bytes("result") == [1] && folder.names() == ["result"])
    }

    /// A sum that several threads add to.
    // SAFETY: the queue orders the additions.
    private final class Counter: @unchecked Sendable {
        private let queue = DispatchQueue(label: "counter")
        private var sum = 0

        func add(_ number: Int) { queue.sync { sum += number } }
        var total: Int { queue.sync { sum } }
    }
}
