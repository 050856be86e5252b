// SPDX-License-Identifier: MIT

extension PostgresConfiguration {
    /// A configuration from a URL such as `postgres://user:password@host:5432/database?sslmode=verify-full`.
    ///
    /// Several hosts are separated by commas. A Unix socket's folder is the host, percent-encoded, or the parameter
    /// `host`: `postgres:///database?host=/var/run/postgresql`. The parameters are `host`, `port`, `sslmode`
    /// (`verify-full`, `verify-ca`, `require`, `disable`), `sslrootcert`, `passfile`, `application_name`,
    /// `target_session_attrs` (`any`, `read-write`), `connect_timeout` (whole seconds), `pool_size` and
    /// `prepared_statements` (a number; 0 behind pgbouncer in transaction mode); any other one is an error.
    ///
    /// - Throws: ``PostgresError`` with `invalidURL`, without the URL's content.
    public init(url: String) throws(PostgresError) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: { url.hasPrefix($0) }) else {
            throw Self.invalid("it starts with neither postgres:// nor postgresql://")
        }
        let parts = url.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard path.count == 2, let database = Self.decoded(path[1]), !database.isEmpty, !database.contains("/") else {
            throw Self.invalid("it names no database after the host")
        }
        var (user, password): (String?, String?)
        var authority = path[0]
        if let at = authority.lastIndex(of: "@") {
            let words = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = words.map { Self.decoded($0) }
            guard let name = decoded[0], !name.isEmpty, !decoded.contains(nil) else {
                throw Self.invalid("the user or the password is not percent-encoded UTF-8")
            }
            user = name
            password = decoded.count == 2 ? decoded[1] : nil
            authority = authority[authority.index(after: at)...]
        }
        var hosts =
            try authority.isEmpty
            ? [] : authority.split(separator: ",", omittingEmptySubsequences: false).map(Self.host)
        let parameters = try Self.parameters(parts.count == 2 ? parts[1] : "")
        if let name = parameters["host"] {
            guard hosts.isEmpty else { throw Self.invalid("it has a host twice") }
            hosts = [Host(name, port: try Self.number("port", in: parameters, 1...65_535) ?? 5432)]
        } else if parameters["port"] != nil {
            throw Self.invalid("the parameter port needs the parameter host")
        }
        guard !hosts.isEmpty else { throw Self.invalid("it names no host") }
        self.init(hosts: hosts, database: database, user: user, password: password)
        try apply(parameters)
    }

    private mutating func apply(_ parameters: [String: String]) throws(PostgresError) {
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "host", "port": break
            case "sslmode":
                guard let mode = TLS(rawValue: value) else {
                    throw Self.invalid("sslmode is not one of verify-full, verify-ca, require and disable")
                }
                tls = mode
            case "target_session_attrs":
                guard let kind = Target(rawValue: value) else {
                    throw Self.invalid("target_session_attrs is neither any nor read-write")
                }
                target = kind
            case "sslrootcert": trustedCertificates = value
            case "passfile": passwordFile = value
            case "application_name": applicationName = value
            case "connect_timeout":
                connectTimeout = .seconds(try Self.number(name, in: parameters, 1...3_600) ?? 5)
            case "pool_size": maximumConnections = try Self.number(name, in: parameters, 1...1_000) ?? 8
            case "prepared_statements":
                preparedStatements = try Self.number(name, in: parameters, 0...10_000) ?? 128
            default: throw Self.invalid("it has a parameter that is not known: \(name.prefix(40))")
            }
        }
    }

    // MARK: Parts

    private static func host(_ text: Substring) throws(PostgresError) -> Host {
        var name = text
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw invalid("an address in brackets does not end") }
            name = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw invalid("a port does not follow a colon") }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            (name, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard let decoded = decoded(name), !decoded.isEmpty, !decoded.contains(",") else {
            throw invalid("a host is empty or not percent-encoded UTF-8")
        }
        guard let port else { return Host(decoded) }
        guard let number = Int(port), 1...65_535 ~= number else { throw invalid("a port is not from 1 to 65535") }
        return Host(decoded, port: number)
    }

    private static func parameters(_ text: Substring) throws(PostgresError) -> [String: String] {
        var parameters: [String: String] = [:]
        for item in text.split(separator: "&") {
            let words = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let name = decoded(words[0]), let value = decoded(words[1]), !value.isEmpty else {
                throw invalid("a parameter is not name=value in percent-encoded UTF-8")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw invalid("a parameter is there twice: \(name.prefix(40))")
            }
        }
        return parameters
    }

    private static func number(
        _ name: String, in parameters: [String: String], _ range: ClosedRange<Int>
    ) throws(PostgresError) -> Int? {
        guard let text = parameters[name] else { return nil }
        guard let number = Int(text), range ~= number else {
            throw invalid("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The text with its percent-encoding undone; nil if it has a NUL or is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let text = Substring(digits).first.map({ _ in String(Substring(digits)) }),
                !text.hasPrefix("+"), !text.hasPrefix("-"), let value = UInt8(text, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func invalid(_ reason: String) -> PostgresError {
        PostgresError(
            code: .invalidURL,
            message: "The URL of the database is not understood: \(reason). "
                + "Write postgres://user:password@host:5432/database.")
    }
}
