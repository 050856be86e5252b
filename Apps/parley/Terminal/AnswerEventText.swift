// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import StructuredJSON
import TerminalKit

/// The texts of what happens while a question is answered.
enum AnswerEventText {
    /// The text of a status line while servers start.
    static func starting(_ servers: [String]) -> Sentence {
        let names = servers.joined(separator: ", ").printable
        return Sentence(
            one: "Starting the tool server \(names) …", other: "Starting the tool servers \(names) …",
            count: servers.count)
    }

    /// The line above the first answer of a model that was away.
    static let available: Sentence = "The model answers again."

    /// The line about a call that was not made.
    static func refusal(_ use: ToolUse, _ refusal: ToolRefusal) -> Sentence {
        let words = "\(ForeignText.short(use.name, limit: 64))(\(ToolArguments.short(use.arguments, limit: 60)))"
        return switch refusal {
        case .declined: "You declined \(words)."
        case .nobodyToAsk: "\(words) was not called: there is nobody to ask for consent."
        case .unknownTool: "\(words) was not called: no server has a tool of this name now."
        }
    }

    /// "add(a: 1, b: 2) → 3 (12 ms)".
    static func result(_ use: ToolUse, _ output: String, isError: Bool, took duration: Duration) -> Sentence {
        let arguments = ToolArguments.short(use.arguments, limit: 60)
        let output = ForeignText.short(output, limit: isError ? 160 : 60)
        let call = "\(ForeignText.short(use.name, limit: 64))(\(arguments))"
        return isError
            ? "\(call) failed: \(output) (\(duration.words))"
            : Sentence(verbatim: "\(call) → \(output) (\(duration.words))")
    }
}

extension AnswerNotice {
    /// The sentence.
    var sentence: Sentence {
        switch self {
        case .cutOff(let reason): "The answer is cut off: \(reason)."
        case .silence: "The model has answered nothing."
        case .toolsMissing(let server, let error): "The tools of \(server) are missing: \(error)"
        case .nobodyToAsk(let tool, let server):
            "\(tool) of \(server) was not allowed: there is no terminal to ask for your consent. --allow-tools allows it."
        case .kept(let date, let model):
            "From \(ForeignText.short(model, limit: 64))'s answer of \(date.formatted(.iso8601.year().month().day())), which is kept "
                + "here (parley cache)."
        case .toolChanged(let tool, let server):
            "\(tool) of \(server) is not what you allowed. It is left out; --allow-tools allows it."
        }
    }
}

extension DomainError {
    /// The notice that another part of the assistant answers, since the model cannot be used.
    var unavailableText: Sentence {
        "The model cannot be used now, so this machine answers by itself. \(sentence)"
    }
}

/// The arguments of a call, for a person.
enum ToolArguments {
    /// `a: 1, b: "x"` of an object; the text itself of anything else.
    static func short(_ json: String, limit: Int) -> String {
        guard let object = (try? JSONValue(parsing: json))?.object else { return ForeignText.short(json, limit: limit) }
        let text = object.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ")
        return ForeignText.short(text, limit: limit)
    }
}

extension Duration {
    /// "12 ms", "3.4 s".
    fileprivate var words: String {
        let milliseconds = milliseconds
        if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 100).rounded() / 10) s"
    }
}
