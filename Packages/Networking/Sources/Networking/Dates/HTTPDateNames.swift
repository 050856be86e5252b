// SPDX-License-Identifier: MIT

/// The names in HTTP dates, which are English and case-sensitive (RFC 9110 §5.6.7).
enum HTTPDateNames {
    /// From Sunday; the first three letters are the short name.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
