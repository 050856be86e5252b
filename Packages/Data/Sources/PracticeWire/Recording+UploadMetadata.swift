// SPDX-License-Identifier: MIT

public import Domain

/// A recording as the `Upload-Metadata` of a tus upload; its byte count is the upload's length.
extension Recording {
    /// The keys `id`, `cue`, `created_at`, `duration`, `format`, `sample_rate` and `sha256` with their plain values,
    /// which tus writes in base64.
    public var uploadMetadata: [String: String] {
        let item = RecordingDTO(self)
        return [
            "id": item.id, "cue": item.cue, "created_at": item.createdAt, "duration": "\(item.duration)",
            "format": item.format, "sample_rate": "\(item.sampleRate)", "sha256": item.sha256,
        ]
    }

    /// Reads the plain values of an upload's metadata; other keys are ignored.
    ///
    /// - Parameter byteCount: The upload's length.
    /// - Throws: ``MappingFailure`` that names the key.
    public init(uploadMetadata metadata: [String: String], byteCount: Int) throws(MappingFailure) {
        func value(_ key: String) throws(MappingFailure) -> String {
            guard let value = metadata[key] else { throw MappingFailure(key, "is missing") }
            return value
        }
        guard let duration = Double(try value("duration")) else { throw MappingFailure("duration", "is not a number") }
        guard let format = Recording.Format(rawValue: try value("format")) else {
            throw MappingFailure("format", "is neither flac nor opus")
        }
        self.init(
            id: try WireValue.identifier(value("id"), "id"), cue: try WireValue.identifier(value("cue"), "cue"),
            createdAt: try WireValue.time(value("created_at"), "created_at"),
            duration: try WireValue.number(duration, "duration", in: 0...86_400), format: format,
            sampleRate: try WireValue.whole(value("sample_rate"), "sample_rate", in: 8_000...192_000),
            byteCount: try WireValue.whole(byteCount, "Upload-Length", in: 0...(1 << 40)),
            contentHash: try WireValue.hash(value("sha256"), "sha256"))
    }
}
