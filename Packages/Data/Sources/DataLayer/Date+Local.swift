// SPDX-License-Identifier: MIT

package import FoundationEssentials
package import Glibc

extension Date {
    /// The parts of the moment by the time zone that the system has now: `localtime_r` alone keeps the first one for as
    /// long as the program runs.
    package var local: tm {
        tzset()
        var (seconds, parts) = (time_t(timeIntervalSince1970.rounded(.down)), tm())
        localtime_r(&seconds, &parts)
        return parts
    }
}
