// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

/// A JSON object of flags and values, for experiments.
enum FlagOverrideFile {
    /// - Throws: `DomainError.file` if the file cannot be read or has other content.
    static func read(_ path: String) throws -> [String: FlagValue] {
        guard let content = FileManager.default.contents(atPath: path),
            let values = try? JSONDecoder().decode([String: Value].self, from: content)
        else {
            throw DomainError.file(
                "PARLEY_FLAGS: \(path.printable) is not a JSON object of flags. Write {\"evaluationTimeLimit\": 5}.")
        }
        return values.mapValues(\.flag)
    }

    private struct Value: Decodable {
        let flag: FlagValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                flag = .boolean(value)
            } else if let value = try? container.decode(Int.self) {
                flag = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                flag = .number(value)
            } else {
                flag = .text(try container.decode(String.self))
            }
        }
    }
}
