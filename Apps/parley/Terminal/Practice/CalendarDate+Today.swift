// SPDX-License-Identifier: MIT

import Domain
import Glibc

extension CalendarDate {
    /// The day that it is here, by the system's clock and time zone.
    static func today() -> CalendarDate {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let date = CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        return date ?? CalendarDate(dayNumber: seconds / 86_400) ?? .epoch
    }
}
