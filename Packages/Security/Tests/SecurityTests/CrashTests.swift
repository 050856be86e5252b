// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Security

/// What other processes do to the files: at the same time, until they are killed, or until the disk is full.
@Suite struct CrashTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ name: String = "secrets") async throws -> FileSecretStore {
        try await FileSecretStore.open(folder.file(name), protection: .keyFile(folder.file(name + ".key")))
    }

    private func number(in store: FileSecretStore, account: String) async throws -> Int? {
        let value = try await store.value(for: SecretName(service: "count", account: account))
        return value.flatMap { $0.withExposed { Int(String(decoding: $0, as: UTF8.self)) } }
    }

    @Test func threeProcessesAtOnceLoseNothing() async throws {
        let script = "for name in a b c; do $PROBE count \"$HOME/secrets\" $name 40 & done; wait"
        let lines = try await ProbeProcess.lines(script, home: folder.path)
        #expect(lines.sorted() == (1...40).flatMap { Array(repeating: "\($0)", count: 3) }.sorted())
        let store = try await open()
        #expect(try await store.names(service: nil).map(\.account) == ["a", "b", "c"])
        for account in ["a", "b", "c"] { #expect(try await number(in: store, account: account) == 40) }
    }

    @Test func whatWasAcknowledgedSurvivesAKill() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<12 {
            let lines = try await ProbeProcess.linesUntilKilled(
                ["count", folder.file("secrets"), "a", "0"], after: Int.random(in: 1...25, using: &generator))
            let last = try #require(lines.last.flatMap(Int.init), "seed \(seed), round \(round)")
            let store = try await open()
            let kept = try #require(try await number(in: store, account: "a"))
            // The write after the last acknowledged one may have been done, too.
            #expect(kept == last || kept == last + 1, "seed \(seed), round \(round)")
            try await store.delete(SecretName(service: "count", account: "a"))
        }
    }

    @Test func aFullDiskLeavesTheStoreAsItWas() async throws {
        for limit in [10_240, 20_480, 20_992] {
            let lines = try await ProbeProcess.lines(
                "$PROBE fill \"$HOME/store\(limit)\" \(limit)", home: folder.path)
            #expect(lines.first == "diskFull")
            let count = (limit - 150) / 1_016 - 1
            #expect(lines.last.map { $0.hasPrefix("stored ") && $0.contains("kept") } == true)
            let stored = lines.last?.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) } ?? []
            #expect(stored.count == 2 && stored.first == stored.last)
            #expect((count - 1...count + 1).contains(stored.first ?? -1), "\(limit): \(lines)")
            #expect(try await open("store\(limit)").names(service: "fill").count == stored.first)
            #expect(!FileManager.default.fileExists(atPath: folder.file("store\(limit).new")))
        }
    }

    @Test func aFullDiskLeavesTheWholeChunksOfARecording() async throws {
        let lines = try await ProbeProcess.lines("$PROBE fill-sealed \"$HOME/a\" 20992", home: folder.path)
        #expect(lines == ["diskFull", "diskFull"])
        let key = try SymmetricKey([UInt8](repeating: 7, count: 32))
        let path = folder.file("a")
        #expect(await code { _ = try await SealedFileReader.open(path, key: key, context: [UInt8]()) } == .incomplete)
        let reader = try await SealedFileReader.open(path, key: key, context: [UInt8](), allowsIncomplete: true)
        #expect(reader.count == 5 * 4_096)
        #expect(try await reader.read(at: 0, maximum: .max) == Data(repeating: 0x41, count: 5 * 4_096))
    }
}
