// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Security
import Testing

@testable import SealedRecordings

/// The format of ADR 0015, byte by byte, and the arithmetic of the free space.
@Suite struct RecordingSlotTests {
    @Test func theFileIsWhatItsDescriptionSays() async throws {
        let folder = try RecordingTestFolder()
        let sound = recordedSound(frames: 30_000, seed: 1)
        let made = try await folder.record(sound, as: "one", encoding: .oggOpus)
        let file = try await SealedFileReader.open(
            folder.file("one"), key: folder.key, context: Array("parley recording\none".utf8))
        let bytes = [UInt8](try await file.read(at: 0, maximum: .max))
        #expect(bytes.count % 4_096 == 0)
        var slots = stride(from: 0, to: bytes.count, by: 4_096).map { Array(bytes[$0..<$0 + 4_096]) }
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 * 256 + Int($1) } }

        let header = slots.removeFirst()
        #expect(header[0..<8].elementsEqual("PARLEYRC".utf8))
        #expect(header[8] == 1 && header[9] == 3)
        #expect(number(header[10..<12]) == 1 && number(header[12..<16]) == 16_000)
        #expect(number(header[16..<24]) == 1_750_000_000_123)
        #expect(header[24...].allSatisfy { $0 == 0 })

        let trailer = slots.removeLast()
        #expect(number(trailer[4_094..<4_096]) == 65_535)
        #expect(number(trailer[6..<14]) == 30_000 && number(trailer[14..<22]) == made.byteCount)
        #expect(Array(trailer[22..<54]) == made.sha256)
        #expect(number(trailer[0..<6]) == made.byteCount)

        var encoded: [UInt8] = []
        for slot in slots {
            #expect(number(slot[0..<6]) == encoded.count)
            let count = number(slot[4_094..<4_096])
            #expect((1...4_088).contains(count))
            encoded += slot[6..<6 + count]
            #expect(slot[(6 + count)..<4_094].allSatisfy { $0 == 0 })
        }
        let reader = try await folder.open("one")
        #expect(Data(encoded) == (try await reader.encodedBytes(at: 0, maximum: .max)))
    }

    @Test func bytesThatAreNoSlotAreRefused() {
        #expect(RecordingSlot.content(of: Data(count: 4_096)) == nil, "a count of nothing")
        #expect(RecordingSlot.content(of: Data(repeating: 0xFE, count: 4_096)) == nil, "a count beyond the slot")
        #expect(RecordingSlot.content(of: Data(count: 4_095)) == nil)
        #expect(throws: RecordingError.self) { try RecordingHeader(parsing: Data(count: 4_096), path: "x") }
        let whole = RecordingHeader(encoding: .flac16, format: .speech, startedAt: Date()).bytes
        for (place, value) in [(8, 2), (9, 9), (10, 0), (11, 1), (14, 255)] as [(Int, UInt8)] {
            var changed = whole
            changed[place] = value
            #expect(throws: RecordingError.self, "byte \(place)") { try RecordingHeader(parsing: changed, path: "x") }
        }
    }

    @Test func theTimeLeftGoesByWhatIsMeasured() {
        let space = RecordingSpace(encoding: .flac16, format: .speech, reserve: 1_000)
        // Before five seconds as if nothing could be made smaller: 32,000 bytes of samples and a slot.
        #expect(space.remaining(1_000 + 361_000 - 40, after: .seconds(4), fileByteCount: 1) == .seconds(10))
        #expect(space.remaining(21_000, after: .seconds(10), fileByteCount: 20_000) == .seconds(10))
        #expect(space.remaining(999, after: .seconds(10), fileByteCount: 20_000) == .zero)
        #expect(space.isUsedUp(1_000) && !space.isUsedUp(1_001))
        #expect(space.isEnough(1_000 + 360_960) && !space.isEnough(1_000 + 360_959))
    }
}
