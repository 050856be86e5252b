// SPDX-License-Identifier: MIT

import StructuredJSON

/// One server-sent event as it is written.
struct Frame: Sendable, Hashable {
    var event: String?
    var data: String

    /// An event of `/v1/responses`, named after its type.
    init(event json: JSONValue) {
        event = json["type"]?.string
        data = json.text
    }

    /// A chunk of `/v1/chat/completions`, which has no name.
    init(data: String) { self.data = data }

    var bytes: [UInt8] { Array((event.map { "event: \($0)\n" } ?? "").utf8) + Array("data: \(data)\n\n".utf8) }
}
