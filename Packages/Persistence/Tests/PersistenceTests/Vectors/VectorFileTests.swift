// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct VectorFileTests {
    private let folder: TemporaryFolder
    private let layout = VectorLayout(dimension: 5)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.file("vectors") }

    private func vector(_ id: Int64) -> [Float] { (0..<5).map { Float(id + 1) * ($0 == Int(id % 5) ? 3 : 1) } }

    private func open() async throws -> VectorIndex { try await VectorIndex(at: path, dimension: 5) }

    private func add(_ ids: Range<Int64>, to index: VectorIndex) async throws {
        try await index.insert(ids.map { (id: $0, vector: vector($0)) })
    }

    @Test func whatWasInsertedAndRemovedStaysSo() async throws {
        var index = try await open()
        try await add(0..<300, to: index)
        try await add(300..<700, to: index)
        #expect(try await index.remove([5, 299, 300, 999]) == 3)
        try await index.insert([1, 2, 3, 4, 5], id: 7)
        await index.close()
        #expect(await code { _ = try await index.nearest(to: vector(1)) } == .closed)
        index = try await open()
        #expect(await index.count == 697)
        #expect(try await index.vector(5) == nil)
        #expect(try await index.vector(7) == [1, 2, 3, 4, 5])
        #expect(try await index.vector(699) == vector(699))
        #expect(try await index.findDamage().isEmpty)
        #expect(try folder.mode("vectors") == 0o600)
        await index.close()
        #expect(await code { _ = try await VectorIndex(at: path, dimension: 6) } == .wrongDimension)
    }

    @Test func onlyOneIndexHasAFileOpen() async throws {
        let index = try await open()
        #expect(await code { _ = try await open() } == .busy)
        await index.close()
        await #expect(throws: Never.self) { _ = try await open() }
    }

    /// As a child that was forked by another thread and has not come to its exec yet has it.
    @Test func aClosedFileIsFreeAlthoughItsDescriptionIsOpenElsewhere() async throws {
        let index = try await open()
        let inherited = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
            .map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        try #require(inherited.count == 1)
        defer { for descriptor in inherited { close(descriptor) } }
        await index.close()
        await #expect(throws: Never.self) { _ = try await open() }
    }

    @Test func aKilledProcessLosesNothingThatReturned() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let index = try await VectorIndex(at: path, dimension: 5)
            try await index.insert((0..<300).map { (id: $0, vector: [Float($0 + 1), 0, 0, 0, 1]) })
            try await index.remove([4])
            kill(getpid(), SIGKILL)
        }
        let index = try await open()
        #expect(await index.count == 299)
        #expect(try await index.vector(299) == [300, 0, 0, 0, 1])
        #expect(try await index.findDamage().isEmpty)
    }

    @Test func aCrashBetweenAnyTwoWritesLeavesTheOldOrTheNew() async throws {
        var index = try await open()
        try await add(0..<10, to: index)
        await index.close()
        let before = try folder.bytes("vectors")
        index = try await open()
        try await index.insert([9, 9, 9, 9, 9], id: 3)
        await index.close()
        let after = try folder.bytes("vectors")
        let changed = before.indices.filter { before[$0] != after[$0] }
        let (data, first, second) = (
            changed.filter { $0 >= VectorLayout.headers }, changed.filter { $0 < VectorLayout.page },
            changed.filter { (VectorLayout.page..<VectorLayout.headers).contains($0) }
        )
        let tombstone = data.filter { (layout.norm(3)..<layout.norm(3) + 4).contains($0) }
        let row = data.filter { !tombstone.contains($0) }
        #expect(!tombstone.isEmpty && !row.isEmpty && !first.isEmpty && !second.isEmpty)
        // In the order in which they are written; a write may be cut anywhere.
        let order = row + first + second + tombstone
        for cut in 0...order.count {
            var bytes = before
            for place in order.prefix(cut) { bytes[place] = after[place] }
            try folder.write(bytes, to: "vectors")
            let index = try await open()
            let isNew = cut >= row.count + first.count
            #expect(try await index.vector(3) == (isNew ? [9, 9, 9, 9, 9] : vector(3)), "cut \(cut)")
            #expect(await index.count == 10)
            #expect(try await index.findDamage().isEmpty)
            try await index.insert([7, 7, 7, 7, 7], id: 11)
            #expect(try await index.vector(11) == [7, 7, 7, 7, 7])
            await index.close()
        }
    }

    @Test func aFileThatIsCutShortIsDamage() async throws {
        let index = try await open()
        try await add(0..<300, to: index)
        await index.close()
        let whole = try folder.bytes("vectors")
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let lengths = [1, 47, 48, 4_095, 4_096, 8_191, 8_192, whole.count - 1]
        for length in lengths + (0..<30).map({ _ in Int.random(in: 1..<whole.count, using: &generator) }) {
            try folder.write(Array(whole.prefix(length)), to: "vectors")
            #expect(await code { _ = try await open() } == .damaged, "seed \(seed), length \(length)")
            #expect(try folder.bytes("vectors") == Array(whole.prefix(length)))
        }
    }

    @Test func noiseIsRefusedOrFoundAndNeverCrashes() async throws {
        let index = try await open()
        try await add(0..<600, to: index)
        try await index.remove([17, 400])
        await index.close()
        let whole = try folder.bytes("vectors")
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var (refused, found) = (0, 0)
        for round in 0..<120 {
            var bytes = whole
            // A header, a chunk's page of numbers, or anywhere.
            let start = [
                0, 4_096, layout.chunk(0), layout.chunk(256), Int.random(in: 0..<whole.count, using: &generator),
            ][
                round % 5]
            for place in start..<min(whole.count, start + Int.random(in: 1...4_200, using: &generator)) {
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            try folder.write(bytes, to: "vectors")
            do {
                let index = try await open()
                let matches = try await index.nearest(to: [1, 2, 3, 4, 5], limit: 1_000, metric: .dotProduct)
                #expect(matches.allSatisfy { $0.score.isFinite }, "seed \(seed), round \(round)")
                if try await !index.findDamage().isEmpty { found += 1 }
                try await index.insert([1, 1, 1, 1, 1], id: 5_000)
                await index.close()
            } catch let error as DatabaseError {
                #expect([.damaged, .wrongDimension].contains(error.code), "seed \(seed), round \(round): \(error)")
                refused += 1
            }
        }
        #expect(refused > 5 && found > 5, "seed \(seed): \(refused) refused, \(found) found")
    }

    @Test func whatIsNoVectorFileIsRefusedAndStaysAsItIs() async throws {
        let noise = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 1) }
        try folder.write(noise, to: "vectors")
        #expect(await code { _ = try await open() } == .damaged)
        #expect(try folder.bytes("vectors") == noise)
        #expect(await code { _ = try await VectorIndex(at: folder.path, dimension: 5) } == .notFound)
        #expect(await code { _ = try await VectorIndex(at: folder.file("no/such"), dimension: 5) } == .notFound)
        #expect(await code { _ = try await VectorIndex(at: "", dimension: 5) } == .invalidPath)
        // What a crash leaves of a file that was being created.
        for size in [0, 100, 8_192] {
            try folder.write([UInt8](repeating: 0, count: size), to: "vectors")
            let index = try await open()
            try await index.insert([1, 2, 3, 4, 5], id: 1)
            await index.close()
        }
    }
}
