// SPDX-License-Identifier: MIT

import Foundation

/// How many random runs a test makes: few in every run of the tests, `ECHO_REALTIME_RUNS` in a long one.
enum RealtimeSeeds {
    static func count(_ usual: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment["ECHO_REALTIME_RUNS"].flatMap(UInt64.init).map { max($0, 20) } ?? usual
    }
}
