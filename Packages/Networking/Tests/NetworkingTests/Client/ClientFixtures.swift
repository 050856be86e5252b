// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
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

/// A clock that every wait moves on at once, with the dates of its times.
func skippingClock(_ clock: ScriptedClock) -> ClientClock {
    ClientClock(clock, date: { testDate + clock.now.offset.seconds })
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
