// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct VectorCompactionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.file("vectors") }

    private func vectors(_ ids: Range<Int64>, _ generator: inout SeededGenerator) -> [(id: Int64, vector: [Float])] {
        ids.map { id in (id: id, vector: (0..<20).map { _ in Float.random(in: -1...1, using: &generator) }) }
    }

    @Test(arguments: [true, false]) func searchesFindTheSameAndTheRoomIsFree(isFile: Bool) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let place = isFile ? path : nil
        var index = try await VectorIndex(at: place, dimension: 20)
        try await index.insert(vectors(0..<1_000, &generator))
        #expect(try await index.compact() == 0)
        let removed = (0..<1_000).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }.map { Int64($0) }
        try await index.remove(removed)
        // Replaced ones take up room as well.
        let replaced = vectors(0..<50, &generator)
        try await index.insert(replaced)
        let wasted = await index.removedCount
        #expect(wasted > removed.count, "seed \(seed)")
        let size = isFile ? try folder.size("vectors") : 0
        let queries = vectors(0..<5, &generator).map(\.vector)
        var before: [[VectorMatch]] = []
        for query in queries { before.append(try await index.nearest(to: query, limit: 2_000)) }
        #expect(try await index.compact() == wasted, "seed \(seed)")
        for isAgain in [false, true] {
            if isAgain, isFile {
                await index.close()
                index = try await VectorIndex(at: place, dimension: 20)
            }
            #expect(await index.removedCount == 0)
            for (query, matches) in zip(queries, before) {
                #expect(try await index.nearest(to: query, limit: 2_000) == matches, "seed \(seed)")
            }
            #expect(try await index.findDamage().isEmpty)
        }
        #expect(try await index.vector(7) == replaced[7].vector)
        if isFile {
            #expect(try folder.size("vectors") < size / 2)
            #expect(try folder.names() == ["vectors"])
            #expect(try folder.mode("vectors") == 0o600)
        }
        // And it goes on as before.
        try await index.insert(vectors(2_000..<2_600, &generator))
        try await index.remove([2_000])
        #expect(try await index.compact() == 1)
        #expect(try await index.findDamage().isEmpty)
    }

    @Test func nobodyElseGetsTheNewFileAndWhatACrashLeftIsNoHindrance() async throws {
        var generator = SeededGenerator(seed: 1)
        try folder.write((0..<20_000).map { UInt8(truncatingIfNeeded: $0) }, to: "vectors.compacting")
        let index = try await VectorIndex(at: path, dimension: 20)
        try await index.insert(vectors(0..<300, &generator))
        try await index.remove(0..<100)
        #expect(try await index.compact() == 100)
        #expect(await code { _ = try await VectorIndex(at: path, dimension: 20) } == .busy)
        #expect(try folder.names() == ["vectors"])
        await index.close()
        let again = try await VectorIndex(at: path, dimension: 20)
        #expect(await again.count == 200)
    }

    @Test func aFileThatLostItsNameIsRefused() async throws {
        var generator = SeededGenerator(seed: 2)
        let index = try await VectorIndex(at: path, dimension: 20)
        try await index.insert(vectors(0..<10, &generator))
        // Another process has opened the file, but not locked it yet.
        let descriptor = try VectorFile.open(path)
        defer { close(descriptor) }
        #expect(throws: Never.self) { try VectorFile.requireInPlace(descriptor, path: path) }
        try await index.remove([1])
        try await index.compact()
        await index.close()
        let error = #expect(throws: DatabaseError.self) { try VectorFile.requireInPlace(descriptor, path: path) }
        #expect(error?.code == .busy)
    }

    @Test func damageIsCopiedAsDamage() async throws {
        var generator = SeededGenerator(seed: 3)
        var index = try await VectorIndex(at: path, dimension: 20)
        try await index.insert(vectors(0..<300, &generator))
        await index.close()
        var bytes = try folder.bytes("vectors")
        bytes[VectorLayout(dimension: 20).vector(260) + 5] ^= 0x01
        try folder.write(bytes, to: "vectors")
        index = try await VectorIndex(at: path, dimension: 20)
        try await index.remove([0, 1])
        try await index.compact()
        #expect(try await index.findDamage() == [260])
    }

    @Test func aDiskThatRefusesLeavesTheOldFile() async throws {
        var generator = SeededGenerator(seed: 4)
        let index = try await VectorIndex(at: path, dimension: 20)
        try await index.insert(vectors(0..<300, &generator))
        try await index.remove(0..<10)
        // A folder that is not empty stands where the new file would be made.
        try FileManager.default.createDirectory(
            atPath: path + ".compacting/in the way", withIntermediateDirectories: true)
        #expect(await code { try await index.compact() } == .notFound)
        #expect(await index.count == 290)
        #expect(try await index.vector(10) != nil)
        try await index.insert(vectors(500..<510, &generator))
        #expect(try await index.findDamage().isEmpty)
    }
}
