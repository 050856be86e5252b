// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import TerminalKit

/// A value that stands in for an option that is not given: from the environment, the stored settings, or the default.
struct Setting: Sendable {
    /// The name, as a person types it.
    let name: String
    let type: SettingType
    /// The default; nil if there is none.
    let standard: String?
    /// The environment variables with precedence over the stored value, the first one first.
    let variables: [String]
    /// One line that says what it is, without a full stop.
    let help: String
    /// The reason that the setting stays on its machine; nil for one that all devices of the person have with sync.
    let staysHere: String?
    /// The option that takes the value; nil if a command reads the setting by itself.
    let option: String?
    /// True for a command line that the setting is meant for; its command declares `option`.
    let isMeant: @Sendable (Invocation) -> Bool

    /// - Parameter variables: Nil for `PARLEY_` and the name in capitals.
    init(
        _ name: String, _ type: SettingType, standard: String? = nil, variables: [String]? = nil, option: String? = nil,
        for isMeant: @escaping @Sendable (Invocation) -> Bool = { _ in true }, staysHere: String? = nil, help: String
    ) {
        self.name = name
        self.type = type
        self.standard = standard
        self.variables = variables ?? ["PARLEY_" + name.uppercased().replacing("-", with: "_")]
        self.option = option
        self.staysHere = staysHere
        self.isMeant = isMeant
        self.help = help
    }

    /// The text, which must be a value of the type.
    ///
    /// - Parameter source: The place of the text in the error, such as "The variable PARLEY_VOICE".
    func checked(_ text: String, from source: Sentence) throws(DomainError) -> String {
        guard type.accepts(text) else {
            throw .invalidInput("\(source) takes \(type.words), not \"\(text.printable)\".")
        }
        return text
    }
}

/// The texts that a setting takes.
enum SettingType: Sendable, Equatable {
    case text
    /// A whole address of a server, `https://…` or `http://…`.
    case address
    /// US dollars from 0.
    case dollars
    case number(ClosedRange<Int>)
    case choice([String])

    /// The name of the type, for programs.
    var name: String {
        switch self {
        case .text: "text"
        case .address: "address"
        case .dollars: "dollars"
        case .number: "number"
        case .choice: "choice"
        }
    }

    /// The accepted values in the words of help and errors.
    var words: Sentence {
        switch self {
        case .text: "a text"
        case .address: "a server's address such as http://127.0.0.1:8080/v1"
        case .dollars: "US dollars such as 0.50"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let values): "one of \(values.joined(separator: ", "))"
        }
    }

    /// The values of a choice, for programs; nil for other types.
    var choices: [String]? {
        if case .choice(let values) = self { values } else { nil }
    }

    /// The bounds of a number, for programs; nil for other types.
    var range: ClosedRange<Int>? {
        if case .number(let range) = self { range } else { nil }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .text: text.contains { !$0.isWhitespace } && text.utf8.count <= 4_096
        case .address: ServerAddress(text) != nil
        case .dollars: Double(text).map { $0.isFinite && $0 >= 0 } ?? false
        case .number(let range): Int(text).map(range.contains) ?? false
        case .choice(let values): values.contains(text)
        }
    }
}

extension Setting: RawRepresentable {
    var rawValue: String { name }

    /// The setting of this name.
    init?(rawValue: String) {
        guard let setting = Self.all.first(where: { $0.name == rawValue }) else { return nil }
        self = setting
    }
}
