// SPDX-License-Identifier: MIT

import Domain
import Networking

/// A recording's sound as what tus uploads; it is nowhere in the clear on the disk.
struct RecordingUpload: TusSource {
    let recording: Recording
    let content: any RecordingContent

    var length: Int { recording.byteCount }

    func read(at offset: Int, count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try await content.bytes(at: offset + bytes.count, maximum: count - bytes.count)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    func fingerprint() -> String { "\(recording.id) \(recording.contentHash)" }
}
