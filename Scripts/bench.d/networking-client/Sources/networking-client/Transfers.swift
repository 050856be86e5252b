// SPDX-License-Identifier: MIT

import Foundation
import Networking

/// Reads a large body piece by piece; a slow reader takes two milliseconds for each piece.
func download(from url: URL, isSlow: Bool, configuration: CurlTransport.Configuration) async throws -> Measurement {
    let transport = try CurlTransport(configuration: configuration)
    let start = ContinuousClock.now
    var count = 0
    for try await chunk in try await transport.send(HTTPRequest(.get, url)).body {
        count += chunk.count
        if isSlow { try await Task.sleep(for: .milliseconds(2)) }
    }
    return Measurement(bytes: count, in: ContinuousClock.now - start)
}

/// Sends a large body.
func upload(_ body: HTTPBody, to url: URL, configuration: CurlTransport.Configuration) async throws -> Measurement {
    let transport = try CurlTransport(configuration: configuration)
    let start = ContinuousClock.now
    let response = try await transport.send(HTTPRequest(.put, url, body: body))
    _ = try await response.body.collect()
    guard response.isSuccess else { throw Failure() }
    return Measurement(bytes: response.body.summary.bytesSent, in: ContinuousClock.now - start)
}
