// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import FoundationEssentials
import Glibc

/// Reads the entries of iCalendar files (RFC 5545) that begin between now and the end of a stretch of time.
///
/// A file is read once, line by line, and nothing of it is kept but what begins in that time. The limits hold for all files
/// together, and what is beyond them is a gap, with a sentence for the person.
struct CalendarFile {
    /// The most bytes.
    static let byteLimit = 16 << 20
    /// The most bytes of a line; the rest of it is ignored.
    static let lineLimit = 1 << 16
    /// The most entries that are kept.
    static let entryLimit = 1_000
    /// The most days that are looked at to count the occurrences of rules with `COUNT`.
    static let countLimit = 2_000_000

    private struct Entry {
        var title = ""
        var id = ""
        var start: (time: CalendarTime, zone: CalendarZone, isAllDay: Bool)?
        var rule: Substring?
        var excluded: Set<Date> = []
        var added: [Date] = []
        var replaces: Date?
        var isCancelled = false
    }

    private struct Found {
        let title: String
        let id: String
        let date: Date
        let isAllDay: Bool
        let isReplacement: Bool
    }

    private let now: Date
    private let end: Date
    private let offset: ZoneSeconds
    private let local: CalendarZone
    private var bytesLeft = CalendarFile.byteLimit
    /// The line so far, without its folds.
    private var line: [UInt8] = []
    /// True if the line ends here, unless the next one continues it.
    private var lineHasEnded = false
    private var entry: Entry?
    /// The depth of components within an entry, such as alarms, which have titles of their own.
    private var depth = 0
    private var found: [Found] = []
    /// The occurrences that an entry of their own replaces, by the id of the series.
    private var replaced: [String: Set<Date>] = [:]
    private var counted = 0
    private var unknownRules = 0
    private var tooMany = false
    private(set) var gaps: [String] = []

    init(from now: Date, to end: Date, _ offset: @escaping ZoneSeconds) {
        (self.now, self.end, self.offset, local) = (now, end, offset, .local(offset))
    }

    /// Reads a file.
    ///
    /// - Throws: `FileError`.
    mutating func read(_ path: String) throws {
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        var offset = 0
        (entry, line, lineHasEnded) = (nil, [], false)
        while bytesLeft > 0 {
            let bytes = try file.bytes(at: offset, maximum: min(1 << 16, bytesLeft))
            if bytes.isEmpty { break }
            offset += bytes.count
            bytesLeft -= bytes.count
            feed(bytes)
        }
        takeLine()
        if try file.size() > offset, gaps.isEmpty {
            gaps.append("Only the first \(Self.byteLimit >> 20) MB of the calendars are read.")
        }
    }

    /// The entries and the gaps, after all files.
    func result() -> UpcomingEvents {
        let events = found.filter { $0.isReplacement || replaced[$0.id]?.contains($0.date) != true }.map { found in
            let minutes = Int((found.date.timeIntervalSince(now) / 60).rounded(.up))
            return UpcomingEvents.Event(title: found.title, startsIn: found.isAllDay ? max(0, minutes) : minutes)
        }
        var gaps = gaps
        if unknownRules > 0 { gaps.append("\(unknownRules) entries recur by a rule that parley does not know.") }
        if tooMany { gaps.append("There are more entries or recurrences than parley looks at.") }
        return UpcomingEvents(events, gaps: gaps)
    }

    // MARK: Lines

    /// Takes the next bytes of the file, however it is cut.
    mutating func feed(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            lineHasEnded = true
            rest = rest[(end + 1)...]
        }
        add(rest)
    }

    /// Adds a piece of a line. One that begins with white space continues the line before (§3.1).
    private mutating func add(_ piece: ArraySlice<UInt8>) {
        guard let first = piece.first else { return }
        var piece = piece
        if lineHasEnded {
            lineHasEnded = false
            if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                piece = piece.dropFirst()
            } else {
                takeLine()
                line.removeAll(keepingCapacity: true)
            }
        }
        line.append(contentsOf: piece.prefix(max(0, Self.lineLimit - line.count)))
    }

    private static let names = [
        "BEGIN:", "END:", "SUMMARY", "UID", "STATUS", "RRULE", "DTSTART", "RECURRENCE-ID", "EXDATE", "RDATE",
    ].map { Array($0.utf8) }

    private mutating func takeLine() {
        guard let first = line.first, Self.names.contains(where: { $0[0] == first && line.starts(with: $0) }) else {
            return
        }
        let text = Substring(String(decoding: line, as: UTF8.self))
        guard let colon = Self.colon(in: text) else { return }
        let fields = text[..<colon].split(separator: ";")
        let value = text[text.index(after: colon)...]
        guard let name = fields.first.map(String.init) else { return }
        switch (name, value) {
        case ("BEGIN", "VEVENT"): (entry, depth) = (Entry(), 0)
        case ("BEGIN", _): depth += 1
        case ("END", "VEVENT"):
            if let entry { finish(entry) }
            entry = nil
        case ("END", _): depth -= 1
        case _ where entry == nil || depth != 0: break
        case ("SUMMARY", _): entry?.title = Self.unescaped(value)
        case ("UID", _): entry?.id = String(value.prefix(200))
        case ("STATUS", _): entry?.isCancelled = value == "CANCELLED"
        case ("RRULE", _): entry?.rule = value
        case ("DTSTART", _):
            let start = CalendarTime(value).map { ($0, zone(fields, value), !value.contains("T")) }
            entry?.start = start
        case ("RECURRENCE-ID", _):
            let first = dates(fields, value).first
            entry?.replaces = first
        case ("EXDATE", _):
            let near = dates(fields, value).filter(isNear)
            entry?.excluded.formUnion(near)
        case ("RDATE", _):
            let near = dates(fields, value).filter(isNear)
            entry?.added += near
        default: break
        }
    }

    /// The colon before the value: the first one outside of quotation marks (§3.1).
    private static func colon(in text: Substring) -> Substring.Index? {
        var isQuoted = false
        return text.indices.first { index in
            if text[index] == "\"" { isQuoted.toggle() }
            return text[index] == ":" && !isQuoted
        }
    }

    private static func unescaped(_ value: Substring) -> String {
        String(value.prefix(500)).replacing("\\n", with: " ").replacing("\\N", with: " ").replacing("\\", with: "")
    }

    private func dates(_ fields: [Substring], _ value: Substring) -> [Date] {
        let named = zone(fields, "")
        return value.split(separator: ",").compactMap { text in
            CalendarTime(text).map { $0.date(in: text.hasSuffix("Z") ? .utc : named) }
        }
    }

    /// The zone of a value: Greenwich for a Z, else that of `TZID` if the system has it, else the person's.
    private func zone(_ fields: [Substring], _ value: Substring) -> CalendarZone {
        if value.hasSuffix("Z") { return .utc }
        guard let name = fields.first(where: { $0.hasPrefix("TZID=") })?.dropFirst(5).filter({ $0 != "\"" }),
            offset(name, now) != nil
        else { return local }
        return CalendarZone { [offset] in offset(name, $0) ?? 0 }
    }

    // MARK: Entries

    private func isNear(_ date: Date) -> Bool {
        date > now.addingTimeInterval(-2 * 86_400) && date < end.addingTimeInterval(2 * 86_400)
    }

    /// Notes the occurrences of an entry that begin in the stretch of time.
    private mutating func finish(_ entry: Entry) {
        guard let (time, zone, isAllDay) = entry.start else { return }
        if let replaced = entry.replaces, isNear(replaced) { self.replaced[entry.id, default: []].insert(replaced) }
        guard !entry.isCancelled else { return }
        var dates = entry.added
        if let text = entry.rule {
            guard let rule = RecurrenceRule(text) else {
                unknownRules += 1
                return
            }
            let first = CalendarTime(now, in: zone).day - 1
            for day in first...(CalendarTime(end, in: zone).day + 1)
            where day == time.day || rule.has(day, from: time.day) {
                // The entry's own time, whatever the rule says.
                var seconds = day == time.day ? [time.second] : []
                if rule.has(day, from: time.day) { seconds += rule.seconds(on: day, from: time) }
                for second in Set(seconds) {
                    let moment = CalendarTime(day: day, second: second)
                    let date = moment.date(in: zone)
                    if isWithin(moment, date, rule, from: time, zone) { dates.append(date) }
                }
            }
        } else {
            dates.append(time.date(in: zone))
        }
        let today = CalendarTime(now, in: local).day
        for date in dates where !entry.excluded.contains(date) {
            let isToday = isAllDay && CalendarTime(date, in: local).day == today
            guard date >= now && date < end || isToday else { continue }
            guard found.count < Self.entryLimit else {
                tooMany = true
                return
            }
            found.append(
                Found(
                    title: entry.title.isEmpty ? "Without a title" : entry.title, id: entry.id, date: date,
                    isAllDay: isAllDay, isReplacement: entry.replaces != nil))
        }
    }

    /// True if an occurrence is not behind the rule's end.
    private mutating func isWithin(
        _ time: CalendarTime, _ date: Date, _ rule: RecurrenceRule, from start: CalendarTime, _ zone: CalendarZone
    ) -> Bool {
        if let until = rule.until, let last = CalendarTime(until) {
            let isDay = !until.contains("T")
            let end = last.date(in: until.hasSuffix("Z") ? .utc : zone)
            guard date <= (isDay ? end.addingTimeInterval(86_399) : end) else { return false }
        }
        guard let count = rule.count else { return true }
        guard time != start, time.day >= start.day else { return true }
        // The first occurrence is that of the entry itself, whatever the rule says.
        var before = 1
        for earlier in start.day...time.day {
            counted += rule.effort
            guard counted < Self.countLimit else {
                tooMany = true
                return false
            }
            guard rule.has(earlier, from: start.day) else { continue }
            if rule.isHourly {
                before += rule.seconds(on: earlier, from: start).count {
                    (earlier > start.day || $0 > start.second) && (earlier < time.day || $0 < time.second)
                }
            } else if earlier > start.day, earlier < time.day {
                before += 1
            }
            if before >= count { return false }
        }
        return before < count
    }
}
