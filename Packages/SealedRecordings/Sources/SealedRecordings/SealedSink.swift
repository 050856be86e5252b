// SPDX-License-Identifier: MIT

import AudioKitLinux
import Digests
import FoundationEssentials
import Security

/// Puts encoded sound into the slots of a sealed file. Used on that file's queue only.
final class SealedSink: SoundByteSink {
    /// The bytes of encoded sound so far.
    private(set) var byteCount = 0
    /// The bytes of the file so far.
    private(set) var fileByteCount = 0
    /// The error after which nothing more can be written.
    private(set) var failure: RecordingError?

    private let file: SealedFileWriter
    private var hash: MessageDigest
    /// The bytes that wait for their slot to be full.
    private var payload: [UInt8] = []

    init(_ file: SealedFileWriter, header: RecordingHeader) throws {
        self.file = file
        hash = try MessageDigest(.sha256)
        payload.reserveCapacity(RecordingSlot.payloadByteCount)
        try write(header.bytes + RecordingSlot.offsetBytes(0))
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioError) {
        do throws(RecordingError) {
            try whileWorking {
                hash.update(bytes)
                var rest = bytes[...]
                while !rest.isEmpty {
                    let taken = rest.prefix(RecordingSlot.payloadByteCount - payload.count)
                    payload += taken
                    byteCount += taken.count
                    rest = rest.dropFirst(taken.count)
                    if payload.count == RecordingSlot.payloadByteCount { try writeSlot() }
                }
            }
        } catch {
            throw error.audioError
        }
    }

    /// Synchronises everything so far with the disk; a slot that is not full is filled up with zeros.
    func checkpoint() throws(RecordingError) {
        try whileWorking {
            if !payload.isEmpty { try writeSlot() }
            try file.assumeIsolated { try $0.synchronize() }
        }
    }

    /// Writes the waiting bytes and the trailer, and completes the file.
    func finish(frameCount: Int) throws(RecordingError) -> RecordingTrailer {
        try whileWorking {
            if !payload.isEmpty { try writeSlot() }
            let trailer = RecordingTrailer(frameCount: frameCount, byteCount: byteCount, sha256: try hash.current())
            try write(RecordingSlot.rest(trailer.payload, count: RecordingSlot.trailerMark))
            try file.assumeIsolated { try $0.finish() }
            return trailer
        }
    }

    private func writeSlot() throws {
        try write(RecordingSlot.rest(payload) + RecordingSlot.offsetBytes(byteCount))
        payload.removeAll(keepingCapacity: true)
    }

    private func write(_ data: Data) throws {
        try file.assumeIsolated { try $0.append(data) }
        fileByteCount += data.count
    }

    private func whileWorking<Value>(_ body: () throws -> Value) throws(RecordingError) -> Value {
        if let failure { throw failure }
        do {
            return try body()
        } catch {
            let failure = RecordingError(translating: error)
            self.failure = failure
            throw failure
        }
    }
}
