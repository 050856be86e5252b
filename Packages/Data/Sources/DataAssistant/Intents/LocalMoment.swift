// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

extension TimeZones {
    /// The moment at which the clocks of this machine's zone show a time.
    ///
    /// A time that clocks show twice (they are set back) is the first one. A time that they skip (they are set forward)
    /// is counted from the offset before, as RFC 5545 §3.3.5 does: 2:30 is shown as 3:30 then.
    ///
    /// - Parameters:
    ///   - seconds: The clock's time as if it were UTC, in seconds since 1970.
    ///   - now: Of a time that is shown twice, the second one is meant when the first is not after this.
    func moment(ofLocal seconds: Int, after now: Date) async throws -> Date {
        func moment(_ offset: ZoneOffset) -> Date { Date(timeIntervalSince1970: Double(seconds - offset.seconds)) }
        let utc = Date(timeIntervalSince1970: Double(seconds))
        // No zone is more than a day from UTC, and none changes its offset twice within two days.
        let before = try await offset(in: nil, at: utc.addingTimeInterval(-86_400))
        let after = try await offset(in: nil, at: utc.addingTimeInterval(86_400))
        var shown: [Date] = []
        for candidate in [before, after] where try await offset(in: nil, at: moment(candidate)) == candidate {
            shown.append(moment(candidate))
        }
        return shown.first { $0 > now } ?? shown.first ?? moment(before)
    }
}
