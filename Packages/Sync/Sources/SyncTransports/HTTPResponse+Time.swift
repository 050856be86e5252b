// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

extension HTTPResponse {
    /// The server's clock, in milliseconds since 1970; nil without a `Date` that can be read.
    var time: Int64? {
        headers["Date"].flatMap { HTTPDate($0, now: Date()) }.map { $0.secondsSince1970 * 1_000 }
    }
}
