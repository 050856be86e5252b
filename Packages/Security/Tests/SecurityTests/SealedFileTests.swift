// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Security

@Suite struct SealedFileTests {
    private let folder: TemporaryFolder
    private let key: SymmetricKey
    private static let chunk = 4_096
    private static let sealed = 4_112

    init() throws {
        folder = try TemporaryFolder()
        key = try SymmetricKey()
    }

    /// Bytes that differ from place to place, so that nothing can be mistaken for something else.
    private func sample(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private func write(_ content: Data, to name: String, context: String = "recording 1") async throws {
        let writer = try await SealedFileWriter.create(
            at: folder.file(name), key: key, context: utf8(context), chunkExponent: 12)
        try await writer.append(content)
        try await writer.finish()
    }

    private func open(
        _ name: String, context: String = "recording 1", allowsIncomplete: Bool = false
    ) async throws -> SealedFileReader {
        try await SealedFileReader.open(
            folder.file(name), key: key, context: utf8(context), allowsIncomplete: allowsIncomplete)
    }

    private func readAll(_ name: String, allowsIncomplete: Bool = false) async throws -> Data {
        let reader = try await open(name, allowsIncomplete: allowsIncomplete)
        return try await reader.read(at: 0, maximum: .max)
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 8_192, 8_193, 50_000])
    func everyLengthComesBack(count: Int) async throws {
        let content = sample(count)
        try await write(content, to: "a")
        let reader = try await open("a")
        #expect(reader.isComplete)
        #expect(reader.count == count)
        #expect(try await reader.read(at: 0, maximum: count) == content)
        #expect(try await reader.read(at: count, maximum: 10).isEmpty)
        #expect(try await reader.read(at: count + 10, maximum: .max).isEmpty)
        let chunks = max(1, (count + Self.chunk - 1) / Self.chunk)
        #expect(try folder.bytes("a").count == 64 + count + 16 * chunks)
        #expect(try folder.mode("a") == 0o600)
    }

    @Test func piecesOfAnySizeAreWrittenAndReadFromAnyPlace() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let content = sample(40_000, seed: seed)
        let writer = try await SealedFileWriter.create(
            at: folder.file("a"), key: key, context: utf8("recording 1"), chunkExponent: 12)
        var written = 0
        while written < content.count {
            let count = min(Int.random(in: 0...9_000, using: &generator), content.count - written)
            // A slice, whose indices do not start at zero.
            try await writer.append(content[written..<(written + count)])
            written += count
            if count % 7 == 0 { try await writer.synchronize() }
        }
        try await writer.finish()
        let reader = try await open("a")
        for round in 0..<300 {
            let offset = Int.random(in: 0...41_000, using: &generator)
            let count = Int.random(in: 0...12_000, using: &generator)
            let expected = offset < content.count ? content[offset..<min(content.count, offset + count)] : Data()
            #expect(try await reader.read(at: offset, maximum: count) == expected, "seed \(seed), round \(round)")
            if round % 50 == 0 { await reader.forget() }
        }
    }

    @Test func theSameContentIsSealedDifferentlyAndUnreadably() async throws {
        let content = Data(String(repeating: "my secret recording ", count: 1_000).utf8)
        try await write(content, to: "a")
        try await write(content, to: "b")
        let (one, two) = (try folder.bytes("a"), try folder.bytes("b"))
        #expect(zip(one, two).filter { $0 == $1 }.count < one.count / 50)
        #expect(Data(one).range(of: Data("my secret".utf8)) == nil)
    }

    @Test func anotherKeyOrContextIsToldApartFromDamage() async throws {
        try await write(sample(100), to: "a")
        let path = folder.file("a")
        #expect(await code { _ = try await open("a", context: "recording 2") } == .wrongKey)
        #expect(
            await code { _ = try await SealedFileReader.open(path, key: SymmetricKey(), context: utf8("recording 1")) }
                == .wrongKey)
    }

    @Test func aFileThatIsCutAnywhereIsIncompleteAndGivesItsWholeChunks() async throws {
        let content = sample(3 * Self.chunk + 500)
        try await write(content, to: "a")
        let whole = try folder.bytes("a")
        let edges = [64, 64 + Self.sealed, 64 + 2 * Self.sealed, 64 + 3 * Self.sealed, whole.count]
        let near = edges.flatMap { edge in (-17...17).map { edge + $0 } }
        for length in Set(near + stride(from: 0, to: whole.count, by: 397)) where (0..<whole.count).contains(length) {
            try folder.write(Array(whole.prefix(length)), to: "a")
            #expect(await code { _ = try await open("a") } == .incomplete, "\(length)")
            guard length >= 64 else { continue }
            let reader = try await open("a", allowsIncomplete: true)
            #expect(!reader.isComplete)
            #expect(reader.count == (length - 64) / Self.sealed * Self.chunk, "cut at \(length)")
            #expect(try await reader.read(at: 0, maximum: .max) == content.prefix(reader.count), "cut at \(length)")
        }
    }

    @Test func `a place before the beginning is an error`() async throws {
        try await write(sample(100), to: "a")
        let reader = try await open("a")
        #expect(await code { _ = try await reader.read(at: -1, maximum: 1) } == .invalidParameter)
        #expect(await code { _ = try await reader.read(at: 0, maximum: -1) } == .invalidParameter)
    }

    @Test func bytesAfterTheEndAreNotTakenForContent() async throws {
        for count in [100, Self.chunk, 2 * Self.chunk + 1] {
            let name = "a\(count)"
            try await write(sample(count), to: name)
            let whole = try folder.bytes(name)
            for extra in [1, 16, 17, Self.sealed, Self.sealed + 40] {
                try folder.write(whole + [UInt8](repeating: 0, count: extra), to: name)
                #expect(await code { _ = try await open(name) } == .incomplete, "\(count) + \(extra)")
            }
        }
    }

    @Test func aWriterThatNeverFinishedLeavesItsWholeChunks() async throws {
        let content = sample(3 * Self.chunk + 500)
        do {
            let writer = try await SealedFileWriter.create(
                at: folder.file("a"), key: key, context: utf8("recording 1"), chunkExponent: 12)
            try await writer.append(content)
        }
        #expect(await code { _ = try await open("a") } == .incomplete)
        #expect(try await readAll("a", allowsIncomplete: true) == content.prefix(3 * Self.chunk))
        // The power failed after the file grew and before all of it was on the disk.
        let written = try folder.bytes("a")
        try folder.write(written.dropLast(100) + [UInt8](repeating: 0, count: 3 * Self.sealed), to: "a")
        #expect(try await readAll("a", allowsIncomplete: true) == content.prefix(2 * Self.chunk))
    }

    @Test func chunksThatAreMovedDoubledDroppedOrFromElsewhereAreDamage() async throws {
        let content = sample(3 * Self.chunk + 500)
        try await write(content, to: "a")
        try await write(content, to: "other")
        let (whole, other) = (try folder.bytes("a"), try folder.bytes("other"))
        func chunk(_ number: Int, of bytes: [UInt8]) -> ArraySlice<UInt8> {
            bytes[(64 + number * Self.sealed)..<min(bytes.count, 64 + (number + 1) * Self.sealed)]
        }
        let header = whole.prefix(64)
        let end = chunk(3, of: whole)
        let forgeries: [(String, [ArraySlice<UInt8>])] = [
            ("swapped", [header, chunk(1, of: whole), chunk(0, of: whole), chunk(2, of: whole), end]),
            ("doubled", [header, chunk(0, of: whole), chunk(0, of: whole), chunk(2, of: whole), end]),
            ("other file's", [header, chunk(0, of: whole), chunk(1, of: other), chunk(2, of: whole), end]),
            ("dropped", [header, chunk(0, of: whole), chunk(2, of: whole), end]),
            ("end moved", [header, end]),
            ("other file's end", [header] + (0..<3).map { chunk($0, of: whole) } + [chunk(3, of: other)]),
            ("other file's header", [other.prefix(64)] + (0..<4).map { chunk($0, of: whole) }),
        ]
        for (name, parts) in forgeries {
            try folder.write(Array(parts.joined()), to: "a")
            let result = await code { _ = try await readAll("a") }
            #expect(result == .damaged || result == .incomplete, "\(name): \(String(describing: result))")
            // Even who takes an incomplete file gets nothing that was not written there.
            if let some = try? await readAll("a", allowsIncomplete: true) {
                #expect(content.starts(with: some) && some.count < content.count, "\(name)")
            }
        }
    }

    @Test func everyFlippedBitOfTheHeaderIsNoticed() async throws {
        try await write(sample(100), to: "a")
        let whole = try folder.bytes("a")
        for bit in 0..<(64 * 8) {
            var changed = whole
            changed[bit / 8] ^= 1 << (bit % 8)
            try folder.write(changed, to: "a")
            let result = await code { _ = try await open("a", allowsIncomplete: true) }
            #expect([.damaged, .newer, .wrongKey].contains(result), "bit \(bit): \(String(describing: result))")
        }
    }

    @Test func aFlippedBitOfTheContentIsNoticedWhereItIs() async throws {
        let content = sample(2 * Self.chunk + 30)
        try await write(content, to: "a")
        let whole = try folder.bytes("a")
        for position in Array(stride(from: 64, to: whole.count - 46, by: 61)) + Array((whole.count - 46)..<whole.count)
        {
            var changed = whole
            changed[position] ^= 0x10
            try folder.write(changed, to: "a")
            let chunk = (position - 64) / Self.sealed
            if chunk == 2 {
                #expect(await code { _ = try await open("a") } == .incomplete, "\(position)")
                continue
            }
            let reader = try await open("a")
            #expect(await code { _ = try await reader.read(at: chunk * Self.chunk + 5, maximum: 1) } == .damaged)
            // The other chunks can still be read, before and after the failure.
            let sound = (1 - chunk) * Self.chunk
            #expect(try await reader.read(at: sound, maximum: 10) == content[sound..<(sound + 10)])
        }
    }

    @Test func onlyAPrivatePlainFileIsOpened() async throws {
        try await write(sample(10), to: "a")
        #expect(await code { try await write(sample(10), to: "a") } == .alreadyExists)
        #expect(await code { _ = try await open("b") } == .notFound)
        for mode in [0o640, 0o604, 0o620, 0o602, 0o666] {
            try folder.setMode(mode, of: "a")
            #expect(await code { _ = try await open("a") } == .insecureFile, "\(String(mode, radix: 8))")
        }
        try folder.setMode(0o600, of: "a")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("a"))
        #expect(await code { _ = try await open("link") } == .insecureFile)
        #expect(await code { try await write(sample(10), to: "link") } == .alreadyExists)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(await code { _ = try await open("pipe") } == .insecureFile)
        #expect(await code { _ = try await open(".") } == .insecureFile)
        #expect(await code { try await write(sample(10), to: "missing/a") } == .notFound)
    }

    @Test func aFinishedWriterIsClosed() async throws {
        let writer = try await SealedFileWriter.create(at: folder.file("a"), key: key, context: utf8("x"))
        try await writer.finish()
        #expect(await code { try await writer.append(sample(1)) } == .closed)
        #expect(await code { try await writer.finish() } == .closed)
        for exponent in [11, 21] as [UInt8] {
            let result = await code {
                _ = try await SealedFileWriter.create(
                    at: folder.file("b"), key: key, context: utf8("x"), chunkExponent: exponent)
            }
            #expect(result == .invalidParameter)
        }
    }

    @Test func randomBytesAreAnErrorAndNeverACrash() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        try await write(sample(9_000), to: "a")
        let whole = try folder.bytes("a")
        for round in 0..<400 {
            var bytes: [UInt8]
            switch round % 4 {
            case 0:
                bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    .random(in: 0...255, using: &generator)
                }
            case 1:
                // A header that is right as far as one can be without the key.
                bytes = SealedFileHeader.magic + [1, 1, UInt8.random(in: 12...20, using: &generator), 0, 0, 0, 0, 0]
                bytes += (0..<Int.random(in: 0...9_000, using: &generator)).map { _ in
                    .random(in: 0...255, using: &generator)
                }
            default:
                bytes = whole
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    bytes[Int.random(in: 64..<bytes.count, using: &generator)] ^= UInt8.random(
                        in: 1...255, using: &generator)
                }
                if round % 4 == 3 { bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))) }
            }
            try folder.write(bytes, to: "a")
            let result = await code { _ = try await readAll("a") }
            #expect([.damaged, .wrongKey, .incomplete, .newer].contains(result), "seed \(seed), round \(round)")
            _ = try? await readAll("a", allowsIncomplete: true)
        }
    }

    @Test func aFileHasAtMost32BitsOfChunks() async throws {
        let last = try ChunkNonce.bytes(chunk: Int(UInt32.max), isLast: true)
        #expect(last == [0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 1])
        #expect(await code { _ = try ChunkNonce.bytes(chunk: Int(UInt32.max) + 1, isLast: false) } == .keyExhausted)
    }
}
