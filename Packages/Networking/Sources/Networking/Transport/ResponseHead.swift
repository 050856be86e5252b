// SPDX-License-Identifier: MIT

/// The header of one response.
struct ResponseHead: Sendable {
    var status: Int
    var version: HTTPVersion
    var headers: HTTPHeaders
    var timings = HTTPTimings()
}
