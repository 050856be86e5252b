// SPDX-License-Identifier: MIT

/// A setting of ``ServerConfiguration``: its name, its type, and the part of ``ServerOptions`` that it changes.
struct ServerSetting: Sendable {
    /// The type of a setting's value, with its range.
    enum Kind: Sendable {
        case number(ClosedRange<Int>)
        case flag
        /// A secret or a name that the command line reads.
        case text
    }

    /// The name in the JSON file and of the credential. The environment's name is `PARLEY_SERVER_` and the name in
    /// capitals.
    let name: String
    let kind: Kind
    /// One sentence for the table of the documentation.
    let meaning: String
    /// The value in given options; nil for a text without a default.
    let value: @Sendable (ServerOptions) -> SettingValue?
    let apply: @Sendable (SettingValue, inout ServerOptions) -> Void

    static func number(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<ServerOptions, Int> & Sendable,
        _ meaning: String
    ) -> ServerSetting {
        ServerSetting(name: name, kind: .number(range), meaning: meaning, value: { .number($0[keyPath: path]) }) {
            if case .number(let number) = $0 { $1[keyPath: path] = number }
        }
    }

    /// A time in whole seconds.
    static func seconds(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<ServerOptions, Duration> & Sendable,
        _ meaning: String
    ) -> ServerSetting {
        ServerSetting(
            name: name, kind: .number(range), meaning: meaning,
            value: { .number(Int($0[keyPath: path].components.seconds)) }
        ) {
            if case .number(let number) = $0 { $1[keyPath: path] = .seconds(number) }
        }
    }

    static func flag(
        _ name: String, _ path: any WritableKeyPath<ServerOptions, Bool> & Sendable, _ meaning: String
    ) -> ServerSetting {
        ServerSetting(name: name, kind: .flag, meaning: meaning, value: { .flag($0[keyPath: path]) }) {
            if case .flag(let flag) = $0 { $1[keyPath: path] = flag }
        }
    }

    static func text(_ name: String, _ meaning: String) -> ServerSetting {
        ServerSetting(name: name, kind: .text, meaning: meaning, value: { _ in nil }, apply: { _, _ in })
    }

    /// The name in the environment.
    var variable: String { "PARLEY_SERVER_" + name.uppercased() }

    /// - Parameter place: The location of the value for the error, such as `server.json: upload_rest_seconds`.
    func check(_ value: SettingValue, at place: String) throws(SettingError) {
        switch (kind, value) {
        case (.number(let range), .number(let number)) where range.contains(number): return
        case (.number(let range), _):
            throw SettingError(
                place, "takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        case (.flag, .flag): return
        case (.flag, _): throw SettingError(place, "takes true or false.")
        case (.text, .text(let text)) where !text.isEmpty: return
        case (.text, _): throw SettingError(place, "takes a text that is not empty.")
        }
    }

    /// The value of a text from the environment or a credential.
    func value(of text: String, at place: String) throws(SettingError) -> SettingValue {
        let value: SettingValue =
            switch kind {
            case .number: Int(text).map { .number($0) } ?? .text(text)
            case .flag: ["true": SettingValue.flag(true), "false": .flag(false)][text] ?? .text(text)
            case .text: .text(text)
            }
        try check(value, at: place)
        return value
    }

    /// The setting's line in docs/configuration.md.
    var documentation: String {
        let (range, standard): (String, String) =
            switch kind {
            case .number(let range): ("\(range.lowerBound)–\(range.upperBound)", shownDefault)
            case .flag: ("true, false", shownDefault)
            case .text: ("text", "none")
            }
        return "| `\(name)` | \(standard) | \(range) | \(meaning) |"
    }

    private var shownDefault: String { value(ServerOptions(home: "", mail: .folder("")))?.shown ?? "none" }
}
