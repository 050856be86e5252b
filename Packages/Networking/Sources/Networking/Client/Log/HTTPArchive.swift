// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The HTTP Archive format 1.2 (w3c.github.io/web-performance/specs/HAR), as far as a log without contents fills it.
struct HTTPArchive: Encodable {
    struct Log: Encodable {
        var version = "1.2"
        var creator = Creator()
        var entries: [Entry]
    }

    struct Creator: Encodable {
        var name = "Networking"
        var version = "1"
    }

    struct Pair: Encodable {
        var name: String
        var value: String
    }

    struct Entry: Encodable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache: [String: String] = [:]
        var timings: Timings
        var serverIPAddress: String?
        var comment: String?
    }

    struct Request: Encodable {
        var method: String
        var url: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair]
        var headersSize = -1
        var bodySize: Int
    }

    struct Response: Encodable {
        var status: Int
        var statusText = ""
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL: String
        var headersSize = -1
        var bodySize: Int
    }

    struct Content: Encodable {
        var size: Int
        var mimeType: String
    }

    /// Milliseconds; -1 for a phase that did not take place. `connect` includes `ssl`, as the format demands.
    struct Timings: Encodable {
        var blocked: Double
        var dns: Double
        var connect: Double
        var ssl: Double
        var send: Double
        var wait: Double
        var receive: Double

        /// The entry's time by the format: the sum of all phases that took place. `connect` has `ssl` in it.
        var sum: Double { [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) } }
    }

    var log: Log
}
