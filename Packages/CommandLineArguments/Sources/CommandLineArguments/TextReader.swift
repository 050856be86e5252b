// SPDX-License-Identifier: MIT

/// Reads the value of one text, and says why it cannot.
struct TextReader<Value: Sendable>: Sendable {
    private let read: @Sendable (_ text: String, _ argument: String) -> Result<Value, InvalidValue>

    /// Reads by a function.
    ///
    /// - Parameter expected: The accepted values, for the error, such as "a day such as 2026-01-31".
    init(expected: String, parse: @escaping @Sendable (String) -> Value?) {
        read = { text, argument in
            parse(text).map { .success($0) }
                ?? .failure(InvalidValue(message: "\(argument) takes \(expected), not \"\(text)\"."))
        }
    }

    /// Reads one of some values.
    ///
    /// - Parameter text: Writes a value as it is typed.
    init(choices: [Value], as text: (Value) -> String) {
        let names = choices.map(text)
        read = { text, argument in
            guard let index = names.firstIndex(of: text) else {
                return .failure(
                    InvalidValue(
                        message: "\(argument) cannot be \"\(text)\".\(Suggestion(for: text, among: names).text) "
                            + "Choose one of: \(names.joined(separator: ", "))."))
            }
            return .success(choices[index])
        }
    }

    /// The value of a text.
    ///
    /// - Parameter argument: The argument as the error names it, "--day" or "DAY".
    func callAsFunction(_ text: String, of argument: String) -> Result<Value, InvalidValue> { read(text, argument) }
}

/// A value that an argument does not take.
struct InvalidValue: Error {
    let message: String
}
