// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The value of a setting from a configuration file, the environment or a credential.
enum SettingValue: Sendable, Hashable {
    case number(Int)
    case flag(Bool)
    case text(String)

    /// The value as JSON; a text is never shown, since it may be a secret.
    var shown: String {
        switch self {
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .text: "none"
        }
    }
}

extension SettingValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

/// A mistake in the configuration. No message shows a value, since it may be a secret.
public struct SettingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file or setting, then the mistake with its remedy.
    public let description: String

    init(_ place: String, _ reason: String) {
        description = "\(place): \(reason)"
    }
}
