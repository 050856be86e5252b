// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Networking
import NetworkingTestSupport
import Testing

let testURL = URL(string: "https://api.example/items") ?? URL(filePath: "/")
let testDate = Date(timeIntervalSince1970: 1_700_000_000)

/// A random source that always says the same.
struct FixedRandom: RandomNumberGenerator {
    var value = UInt64.max
    mutating func next() -> UInt64 { value }
}

/// A response for scripts.
func answer(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") -> ScriptedTransport.Answer {
    { HTTPResponse(status: status, headers: headers, url: $0.url, body: HTTPResponseBody(Array(body.utf8))) }
}

func failure(_ code: NetworkError.Code) -> ScriptedTransport.Answer {
    { _ in throw NetworkError(code: code, message: "scripted") }
}

/// A clock that every wait moves on at once, so that a test of waits does not wait.
func skippingClock(_ waits: Waits) -> ClientClock {
    ClientClock(SkippingClock(waits: waits), date: { testDate + waits.total.seconds })
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// What was waited for, in order.
final class Waits: Sendable {
    private let lock = NSLock()
    // SAFETY: touched only while `lock` is held.
    nonisolated(unsafe) private var values: [Duration] = []

    var all: [Duration] { lock.withLock { values } }
    var total: Duration { lock.withLock { values.reduce(.zero, +) } }
    func append(_ duration: Duration) { lock.withLock { values.append(duration) } }
}

private struct SkippingClock: Clock {
    typealias Instant = ManualClock.Instant
    let waits: Waits
    var now: Instant { Instant(offset: waits.total) }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        waits.append(now.duration(to: deadline))
    }
}
