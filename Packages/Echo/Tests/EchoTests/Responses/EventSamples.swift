// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials

/// One event of each kind, with every field that the API's documentation names.
enum EventSamples {
    /// The events as JSON texts.
    static let texts: [String] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/response-events.jsonl")
        guard let data = try? Data(contentsOf: file) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }()

    /// The events, read.
    static func events() throws -> [ResponseStreamEvent] {
        try texts.map { try ResponseStreamEvent(parsing: $0.utf8.span) }
    }
}
