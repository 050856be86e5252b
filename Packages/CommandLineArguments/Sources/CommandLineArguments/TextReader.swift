// SPDX-License-Identifier: MIT

/// Reads the value of one text, and says why it cannot.
struct TextReader<Value: Sendable>: Sendable {
    private let read: @Sendable (_ text: String, _ argument: String) -> Result<Value, InvalidValue>

    /// Reads by a function.
    ///
    /// - Parameter expected: The accepted values, for the error, such as "a day such as 2026-01-31".
    init(expected: UsageText, parse: @escaping @Sendable (String) -> Value?) {
        read = { text, argument in
            parse(text).map { .success($0) }
                ?? .failure(InvalidValue(text: UsageText(argument, takes: expected, not: text)))
        }
    }

    /// Reads one of some values.
    ///
    /// - Parameter text: Writes a value as it is typed.
    init(choices: [Value], as text: (Value) -> String) {
        let names = choices.map(text)
        read = { text, argument in
            guard let index = names.firstIndex(of: text) else {
                let wrong = UsageText(.wrongChoice, ["argument": argument, "text": text])
                let choices = UsageText(.choices, ["choices": names.joined(separator: ", ")])
                let suggestion = Suggestion(for: text, among: names).sentence
                return .failure(InvalidValue(text: wrong.followed(by: suggestion).followed(by: choices)))
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
    let text: UsageText
}
