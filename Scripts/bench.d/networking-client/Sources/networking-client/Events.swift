// SPDX-License-Identifier: MIT

import Foundation
import Networking

/// Reads so many events with `EventSource`, then the same bytes as a plain body, over the same transport.
func events(from url: URL, count: Int, configuration: CurlTransport.Configuration) async throws -> Measurement {
    let transport = try CurlTransport(configuration: configuration)
    let clock = ContinuousClock()
    let plainStart = clock.now
    var bytes = 0
    for try await chunk in try await transport.send(HTTPRequest(.get, url)).body { bytes += chunk.count }
    let plain = clock.now - plainStart

    let start = clock.now
    var seen = 0
    for try await _ in EventSource(HTTPRequest(.get, url), transport: transport) {
        seen += 1
        // The stream has no more than these, and the source would connect again.
        if seen == count { break }
    }
    let spent = clock.now - start
    guard seen == count else { throw Failure() }
    return Measurement([
        "mb_per_second": Double(bytes) / 1e6 / spent.seconds,
        "plain_mb_per_second": Double(bytes) / 1e6 / plain.seconds,
        "events_per_second": Double(count) / spent.seconds,
    ])
}

/// The parser alone, beside a bare search for line ends in the same bytes, both in pieces of 16 KB.
func parseEvents(inFile path: String) throws -> Measurement {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let pieces = stride(from: 0, to: bytes.count, by: 16 << 10).map {
        Array(bytes[$0..<min($0 + 16 << 10, bytes.count)])
    }
    let clock = ContinuousClock()
    var lines = 0
    let searching = clock.measure {
        for piece in pieces {
            piece.withUnsafeBufferPointer { buffer in
                var rest = buffer[...]
                while let base = UnsafeBufferPointer(rebasing: rest).baseAddress,
                    let end = memchr(base, 10, rest.count)
                {
                    lines += 1
                    rest = rest.dropFirst(UnsafeRawPointer(end) - UnsafeRawPointer(base) + 1)
                }
            }
        }
    }
    var events = 0
    let parsing = try clock.measure {
        var parser = ServerSentEventParser()
        for piece in pieces { try parser.parse(piece.span) { _ in events += 1 } }
    }
    guard events > 0, lines > events else { throw Failure() }
    return Measurement([
        "mb_per_second": Double(bytes.count) / 1e6 / parsing.seconds,
        "search_mb_per_second": Double(bytes.count) / 1e6 / searching.seconds,
        "events_per_second": Double(events) / parsing.seconds,
    ])
}
