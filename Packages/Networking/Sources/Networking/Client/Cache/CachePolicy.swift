// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The rules of a private cache (RFC 9111; `stale-if-error` from RFC 5861). Pure.
struct CachePolicy: Sendable {
    /// The use of a stored response.
    enum Decision: Equatable {
        /// Answer with it.
        case use
        /// Validate it at the server. If the server fails, the response may be used where `staleIfError` is true.
        case validate(staleIfError: Bool)
    }

    /// Seconds past its freshness for which a response may answer when the server fails, unless the server itself sets
    /// them.
    let defaultStaleIfError: Double

    /// Statuses that may be stored without the server saying how long (RFC 9110 §15.1), besides 206, which would need
    /// ranges to be put together.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// True if the response may be stored (RFC 9111 §3).
    func isStorable(request: HTTPRequest, status: Int, headers: HTTPHeaders) -> Bool {
        guard request.method == .get, !request.headers.contains(name: "Range"), status >= 200,
            ![206, 304].contains(status)
        else { return false }
        let control = CacheControl(headers)
        guard !control.has("no-store"), !CacheControl(request.headers).has("no-store") else { return false }
        guard !headers.values(for: "Vary").contains(where: { $0.contains("*") }) else { return false }
        let isExplicit = control.has("max-age") || headers.contains(name: "Expires")
        // An expired answer helps offline, or saves a body, only if it can be validated or is fresh for a time.
        let hasValidator = headers.contains(name: "ETag") || headers.contains(name: "Last-Modified")
        return isExplicit || (Self.heuristicStatuses.contains(status) && (hasValidator || control.has("public")))
    }

    /// Seconds for which a response is fresh (§4.2.1).
    func freshness(status: Int, headers: HTTPHeaders, responded: Date) -> Double {
        let control = CacheControl(headers)
        if let age = control.seconds("max-age") { return age }
        let date = headers.date(now: responded)
        if let expires = headers["Expires"] {
            // An invalid date, such as 0, is in the past.
            return HTTPDate(expires, now: responded).map { max(0, $0.date.timeIntervalSince(date)) } ?? 0
        }
        guard Self.heuristicStatuses.contains(status),
            let modified = headers["Last-Modified"].flatMap({ HTTPDate($0, now: responded)?.date })
        else { return 0 }
        return min(max(0, date.timeIntervalSince(modified)) / 10, 86400)
    }

    /// The age of a stored response (§4.2.3), in seconds.
    func age(of stored: CachedResponse, now: Date) -> Double {
        let date = stored.headers.date(now: stored.responded)
        let apparent = max(0, stored.responded.timeIntervalSince(date))
        let claimed = stored.headers["Age"].flatMap(CacheControl.deltaSeconds) ?? 0
        let corrected = claimed + max(0, stored.responded.timeIntervalSince(stored.requested))
        return max(apparent, corrected) + max(0, now.timeIntervalSince(stored.responded))
    }

    /// Decides if a stored response may answer a request now (§4).
    func decide(_ stored: CachedResponse, for request: HTTPRequest, now: Date) -> Decision {
        let response = CacheControl(stored.headers)
        let wishes = CacheControl(request.headers)
        let age = age(of: stored, now: now)
        let lifetime = freshness(status: stored.status, headers: stored.headers, responded: stored.responded)
        let isStrict = response.has("must-revalidate") || response.has("no-cache")
        let staleness = age - lifetime
        let grace = response.seconds("stale-if-error") ?? wishes.seconds("stale-if-error") ?? defaultStaleIfError
        let validate = Decision.validate(staleIfError: !isStrict && staleness <= grace)
        guard !response.has("no-cache"), !wishes.has("no-cache"), request.options.caching != .reload else {
            return validate
        }
        if let limit = wishes.seconds("max-age"), age > limit { return validate }
        if staleness + (wishes.seconds("min-fresh") ?? 0) < 0 { return .use }
        if wishes.has("max-stale"), !isStrict {
            let limit = CacheControl(request.headers).seconds("max-stale") ?? 0
            if staleness <= limit { return .use }
        }
        return validate
    }

    /// True if the stored response was selected by the same fields (§4.1).
    func matches(_ stored: CachedResponse, _ request: HTTPRequest) -> Bool {
        stored.varying.allSatisfy { name, value in request.headers.combined(for: name) == value }
    }

    /// The request's fields that the response depends on.
    func varying(_ request: HTTPRequest, _ headers: HTTPHeaders) -> [String: String?] {
        var values: [String: String?] = [:]
        for value in headers.values(for: "Vary") {
            for name in value.split(separator: ",").map({ $0.trimmed.lowercased() }) where !name.isEmpty {
                values.updateValue(request.headers.combined(for: name), forKey: name)
            }
        }
        return values
    }

    /// The request that validates a stored response (§4.3.1).
    func conditional(_ request: HTTPRequest, _ stored: CachedResponse) -> HTTPRequest {
        var request = request
        if let tag = stored.headers["ETag"] { request.headers["If-None-Match"] = tag }
        if let modified = stored.headers["Last-Modified"] { request.headers["If-Modified-Since"] = modified }
        return request
    }

    /// The fields worth keeping (§3.1). The content is stored decompressed unless the caller asked for encodings.
    func storedHeaders(_ headers: HTTPHeaders, isDecoded: Bool) -> HTTPHeaders {
        var headers = headers
        var dropped = [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Transfer-Encoding", "TE", "Trailer", "Upgrade",
        ]
        for value in headers.values(for: "Connection") { dropped += value.split(separator: ",").map(\.trimmed) }
        if isDecoded { dropped += ["Content-Encoding", "Content-Length"] }
        dropped.forEach { headers.remove($0) }
        return headers
    }

    /// A stored response after a 304 (§3.2, §4.3.4).
    func freshened(_ stored: CachedResponse, by headers: HTTPHeaders, requested: Date, responded: Date)
        -> CachedResponse
    {
        var result = stored
        for name in Set(storedHeaders(headers, isDecoded: true).map { $0.name.lowercased() })
        where !["content-range", "content-type"].contains(name) || !stored.headers.contains(name: name) {
            result.headers.remove(name)
            headers.values(for: name).forEach { result.headers.add(name: name, value: $0) }
        }
        if !headers.contains(name: "Age") { result.headers.remove("Age") }
        result.requested = requested
        result.responded = responded
        return result
    }
}

/// The directives of `Cache-Control` (RFC 9111 §5.2). A repeated directive counts as its strictest form.
struct CacheControl: Sendable {
    private var directives: [String: String] = [:]

    init(_ headers: HTTPHeaders) {
        for value in headers.values(for: "Cache-Control") { add(value) }
        // An older form of no-cache in requests (RFC 9111 §5.4).
        if directives.isEmpty, headers["Pragma"]?.lowercased().contains("no-cache") == true {
            directives["no-cache"] = ""
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The directive's number of seconds; zero if it is not a number, which counts as stale; nil if it is missing.
    func seconds(_ name: String) -> Double? {
        directives[name].map { Self.deltaSeconds($0) ?? 0 }
    }

    /// The number of seconds in a field, 2^31 at most (RFC 9111 §1.2.2); nil if the text is not all digits.
    static func deltaSeconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double(text).map { min($0, 0x1p31) }
    }

    private mutating func add(_ value: String) {
        for part in Self.split(value) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves[0].trimmed.lowercased()
            var argument = halves.count > 1 ? halves[1].trimmed : ""
            if argument.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                argument = String(argument.dropFirst().dropLast())
            }
            guard !name.isEmpty else { continue }
            if let old = directives[name], let first = Double(old), let second = Double(argument), first < second {
                continue
            }
            directives[name] = argument
        }
    }

    // A comma inside quotes does not end a directive.
    private static func split(_ value: String) -> [Substring] {
        var isQuoted = false
        return value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    var trimmed: String {
        var rest = Substring(self)
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
