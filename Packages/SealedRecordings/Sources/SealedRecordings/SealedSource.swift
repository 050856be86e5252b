// SPDX-License-Identifier: MIT

import AudioKitLinux
import FoundationEssentials
import Security

/// The encoded sound in the slots of a sealed file. Used on that file's queue only.
final class SealedSource: SoundByteSource {
    let byteCount: Int

    private let file: SealedFileReader
    private let path: String
    /// The number of slots with sound; the first of them has the number 1, behind the header.
    private let slotCount: Int
    /// The slot that was read last.
    private var loaded: (number: Int, content: RecordingSlot.Content)?

    init(_ file: SealedFileReader, path: String, slotCount: Int, byteCount: Int) {
        self.file = file
        self.path = path
        self.slotCount = slotCount
        self.byteCount = byteCount
    }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
        do throws(RecordingError) {
            let end = min(byteCount, offset + target.count)
            var position = offset
            while position < end {
                let slot = try slot(holding: position)
                let start = position - slot.offset
                let count = min(end - position, slot.count - start)
                guard count > 0 else { throw Self.damaged(path) }
                let piece = slot.payload.dropFirst(start).prefix(count)
                piece.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[(position - offset)...]).copyMemory(from: $0)
                }
                position += count
            }
            return max(0, end - offset)
        } catch {
            throw error.audioError
        }
    }

    /// The slot that holds a byte: the one that was read last, the next one, or one found by halving.
    private func slot(holding position: Int) throws(RecordingError) -> RecordingSlot.Content {
        if let loaded {
            if (loaded.content.offset..<loaded.content.offset + loaded.content.count).contains(position) {
                return loaded.content
            }
            if position == loaded.content.offset + loaded.content.count { return try load(loaded.number + 1) }
        }
        var (low, high) = (1, slotCount)
        while low < high {
            let middle = (low + high + 1) / 2
            if try load(middle).offset <= position { low = middle } else { high = middle - 1 }
        }
        return try load(low)
    }

    private func load(_ number: Int) throws(RecordingError) -> RecordingSlot.Content {
        if let loaded, loaded.number == number { return loaded.content }
        let content = try Self.slot(number, of: file, path: path)
        loaded = (number, content)
        return content
    }

    static func slot(_ number: Int, of file: SealedFileReader, path: String) throws(RecordingError)
        -> RecordingSlot.Content
    {
        let slot = try recordingErrors {
            try file.assumeIsolated {
                try $0.read(at: number * RecordingSlot.byteCount, maximum: RecordingSlot.byteCount)
            }
        }
        guard let content = RecordingSlot.content(of: slot) else { throw damaged(path) }
        return content
    }

    static func damaged(_ path: String) -> RecordingError {
        RecordingError(.damaged, "\(path) is damaged: its blocks do not fit together.")
    }
}
