// SPDX-License-Identifier: MIT

import Foundation

/// The rules of HAR 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html), written from the specification and
/// not from what this package writes.
struct HTTPArchiveRules {
    /// What a document breaks, each with its place.
    private(set) var violations: [String] = []

    /// Checks a document.
    init(_ json: [UInt8]) {
        guard let document = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any],
            let log = object(document, "log", "document")
        else {
            violations.append("it is no JSON object with a log")
            return
        }
        if string(log, "version", "log") != "1.2" { violations.append("log.version is not 1.2") }
        if let creator = object(log, "creator", "log") {
            for name in ["name", "version"] { _ = string(creator, name, "creator") }
        }
        for (number, entry) in objects(log, "entries", "log").enumerated() { check(entry: entry, "entry \(number)") }
    }

    private mutating func check(entry: [String: Any], _ place: String) {
        if let date = string(entry, "startedDateTime", place), !Self.isDate(date) {
            violations.append("\(place).startedDateTime is no ISO 8601 date with a zone: \(date)")
        }
        let time = number(entry, "time", place, isOptional: false) ?? 0
        if time < 0 { violations.append("\(place).time is negative") }
        _ = object(entry, "cache", place)
        for name in ["serverIPAddress", "connection", "comment", "pageref"] where entry[name] != nil {
            _ = string(entry, name, place)
        }
        if let request = object(entry, "request", place) { check(request: request, place + ".request") }
        if let response = object(entry, "response", place) { check(response: response, place + ".response") }
        if let timings = object(entry, "timings", place) { check(timings: timings, time: time, place + ".timings") }
    }

    private mutating func check(request: [String: Any], _ place: String) {
        for name in ["method", "httpVersion"] { _ = string(request, name, place) }
        if let url = string(request, "url", place) {
            if URLComponents(string: url)?.scheme == nil { violations.append("\(place).url is not absolute: \(url)") }
            if url.contains("#") { violations.append("\(place).url has a fragment") }
        }
        checkMessage(request, place)
        checkPairs(request, "queryString", place)
    }

    private mutating func check(response: [String: Any], _ place: String) {
        if let status = number(response, "status", place, isOptional: false),
            status != 0, !(100...599).contains(status) || status != status.rounded()
        {
            violations.append("\(place).status is \(status)")
        }
        for name in ["statusText", "httpVersion", "redirectURL"] { _ = string(response, name, place) }
        checkMessage(response, place)
        guard let content = object(response, "content", place) else { return }
        if let size = number(content, "size", place, isOptional: false), size < 0 || size != size.rounded() {
            violations.append("\(place).content.size is \(size)")
        }
        _ = string(content, "mimeType", place + ".content")
    }

    private mutating func checkMessage(_ message: [String: Any], _ place: String) {
        checkPairs(message, "headers", place)
        checkPairs(message, "cookies", place)
        for name in ["headersSize", "bodySize"] {
            guard let size = number(message, name, place, isOptional: false) else { continue }
            if size < -1 || size != size.rounded() { violations.append("\(place).\(name) is \(size)") }
        }
    }

    /// Each phase is -1 or a time; `send`, `wait` and `receive` have to be times; `ssl` is in `connect`; together they
    /// are the entry's time.
    private mutating func check(timings: [String: Any], time: Double, _ place: String) {
        var sum = 0.0
        for name in ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"] {
            let isOptional = ["blocked", "dns", "connect", "ssl"].contains(name)
            guard let value = number(timings, name, place, isOptional: isOptional) else { continue }
            if value < 0, !(isOptional && value == -1) { violations.append("\(place).\(name) is \(value)") }
            if name != "ssl" { sum += max(0, value) }
        }
        if abs(sum - time) > 0.001 { violations.append("\(place) come to \(sum), but the entry's time is \(time)") }
        let connect = timings["connect"] as? Double ?? -1
        if let ssl = timings["ssl"] as? Double, ssl > connect { violations.append("\(place).ssl is not in connect") }
    }

    private mutating func checkPairs(_ value: [String: Any], _ name: String, _ place: String) {
        for pair in objects(value, name, place) {
            for part in ["name", "value"] { _ = string(pair, part, "\(place).\(name)") }
        }
    }

    // MARK: Types

    private mutating func object(_ value: [String: Any], _ name: String, _ place: String) -> [String: Any]? {
        let found = value[name] as? [String: Any]
        if found == nil { violations.append("\(place).\(name) is no object") }
        return found
    }

    private mutating func objects(_ value: [String: Any], _ name: String, _ place: String) -> [[String: Any]] {
        let found = value[name] as? [[String: Any]]
        if found == nil, (value[name] as? [Any])?.isEmpty != true {
            violations.append("\(place).\(name) is no array of objects")
        }
        return found ?? []
    }

    private mutating func string(_ value: [String: Any], _ name: String, _ place: String) -> String? {
        let found = value[name] as? String
        if found == nil { violations.append("\(place).\(name) is no string") }
        return found
    }

    private mutating func number(
        _ value: [String: Any], _ name: String, _ place: String, isOptional: Bool
    ) -> Double? {
        if isOptional, value[name] == nil { return nil }
        let found = value[name] as? String == nil ? value[name] as? Double : nil
        if found == nil { violations.append("\(place).\(name) is no number") }
        return found
    }

    /// YYYY-MM-DDThh:mm:ss, fractions, and a zone: Z or an offset.
    private static func isDate(_ text: String) -> Bool {
        text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/#) != nil
            && text.prefix(4) > "1970"
    }
}
