// SPDX-License-Identifier: MIT

import AudioKitLinux
import FoundationEssentials

/// The first slot of a sealed recording: the facts at its beginning.
struct RecordingHeader: Equatable {
    static let magic = Array("PARLEYRC".utf8)
    static let version: UInt8 = 1
    private static let encodings: [(number: UInt8, encoding: SoundFileEncoding)] = [
        (1, .flac16), (2, .flac24), (3, .oggOpus),
    ]

    let encoding: SoundFileEncoding
    let format: AudioFormat
    let startedAt: Date
    /// The id of the subject, such as a cue's.
    let subject: UUID?

    /// True if recordings are made in this encoding: only encodings that are written by appending alone and can end
    /// anywhere.
    static func takes(_ encoding: SoundFileEncoding) -> Bool { encodings.contains { $0.encoding == encoding } }

    /// Throws `formatNotSupported` for other encodings.
    static func check(_ encoding: SoundFileEncoding) throws(RecordingError) {
        guard takes(encoding) else {
            throw RecordingError(.formatNotSupported, "A recording is FLAC or Ogg Opus, not \(encoding.rawValue).")
        }
    }

    init(encoding: SoundFileEncoding, format: AudioFormat, startedAt: Date, subject: UUID? = nil) {
        self.encoding = encoding
        self.format = format
        self.subject = subject
        self.startedAt = Self.rounded(startedAt)
    }

    /// A date as the file holds it: to the millisecond.
    static func rounded(_ date: Date) -> Date { Date(timeIntervalSince1970: Double(milliseconds(date)) / 1_000) }

    private static func milliseconds(_ date: Date) -> Int {
        Int(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0
    }

    /// Magic, version, encoding, channels (2 bytes), rate (4), milliseconds since 1970 (8), subject (16), then zeros.
    var bytes: Data {
        var data = Data(Self.magic)
        data.append(Self.version)
        data.append(Self.encodings.first { $0.encoding == encoding }?.number ?? 0)
        data.append(contentsOf: RecordingSlot.number(format.channels, 2))
        data.append(contentsOf: RecordingSlot.number(format.sampleRate, 4))
        data.append(contentsOf: RecordingSlot.number(Self.milliseconds(startedAt), 8))
        if let subject { withUnsafeBytes(of: subject.uuid) { data.append(contentsOf: $0) } }
        data.append(Data(count: RecordingSlot.byteCount - data.count))
        return data
    }

    /// Throws `newer` and `damaged`.
    init(parsing bytes: Data, path: String) throws(RecordingError) {
        let bytes = Array(bytes)
        guard bytes.count == RecordingSlot.byteCount, bytes.starts(with: Self.magic), bytes[8] > 0 else {
            throw RecordingError(.damaged, "\(path) is a sealed file, but no recording.")
        }
        guard bytes[8] == Self.version, let known = Self.encodings.first(where: { $0.number == bytes[9] }) else {
            throw RecordingError(.newer, "\(path) was recorded by a newer program. Open it with that.")
        }
        encoding = known.encoding
        format = AudioFormat(
            sampleRate: RecordingSlot.value(bytes[12..<16]), channels: RecordingSlot.value(bytes[10..<12]))
        guard (1...768_000).contains(format.sampleRate), (1...64).contains(format.channels) else {
            throw RecordingError(.damaged, "\(path) claims \(format), which no recording has.")
        }
        startedAt = Date(timeIntervalSince1970: Double(RecordingSlot.value(bytes[16..<24])) / 1_000)
        // Programs without subjects leave zeros.
        let subject = bytes[24..<40].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        self.subject = bytes[24..<40].allSatisfy { $0 == 0 } ? nil : subject
    }
}

/// The last slot of a completed recording: the facts at its end.
struct RecordingTrailer: Equatable {
    let frameCount: Int
    let byteCount: Int
    let sha256: [UInt8]

    init(frameCount: Int, byteCount: Int, sha256: [UInt8]) {
        self.frameCount = frameCount
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// Frames (8 bytes), bytes (8), SHA-256 (32).
    var payload: [UInt8] { RecordingSlot.number(frameCount, 8) + RecordingSlot.number(byteCount, 8) + sha256 }

    init(parsing payload: Data) {
        let bytes = Array(payload.prefix(48))
        frameCount = RecordingSlot.value(bytes[0..<8])
        byteCount = RecordingSlot.value(bytes[8..<16])
        sha256 = Array(bytes[16..<48])
    }
}
