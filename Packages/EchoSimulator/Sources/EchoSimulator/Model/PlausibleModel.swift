// SPDX-License-Identifier: MIT

import StructuredJSON

/// Answers anything, always alike: it repeats the user's text, calls tools that are asked for by name, repeats their
/// output, and fills schemas.
enum PlausibleModel {
    static func answer(_ prompt: Prompt) -> Scenario.Answer {
        var answer = Scenario.Answer()
        let said = prompt.userTexts.last ?? ""
        if prompt.reasons { answer.items.append(reasoning(prompt, said)) }
        let calls = prompt.toolOutputs.isEmpty ? toolCalls(prompt, said) : []
        if calls.isEmpty {
            append(text(prompt, said), to: &answer, limit: prompt.maximumTokens)
        } else {
            answer.items += calls
        }
        return answer
    }

    private static func append(_ text: String, to answer: inout Scenario.Answer, limit: Int?) {
        guard let limit, TokenEstimate.tokens(in: text) > limit else {
            answer.items.append(.message(text))
            return
        }
        answer.items.append(.message(TokenEstimate.prefix(of: text, tokens: limit)))
        answer.status = .incomplete(reason: "max_output_tokens")
    }

    private static func reasoning(_ prompt: Prompt, _ said: String) -> Scenario.Item {
        let summary = "**Reading the question**\n\nThe last message has \(words(said).count) words."
        return .reasoning(
            summary: prompt.summarisesReasoning ? [summary] : [], isEncrypted: prompt.encryptsReasoning)
    }

    private static func text(_ prompt: Prompt, _ said: String) -> String {
        switch prompt.format {
        case .schema(let schema): return SchemaSample(schema: schema, text: said).value().text
        case .jsonObject: return JSONValue.object(["message": .string(said)]).text
        case .text: break
        }
        if !prompt.toolOutputs.isEmpty {
            return prompt.toolOutputs.map { "\($0.name) answered: \($0.output)" }.joined(separator: "\n")
        }
        guard !said.isEmpty else { return "You said nothing." }
        let count = words(said).count
        var text = "You said: “\(said)” (\(count) \(count == 1 ? "word" : "words"))."
        if prompt.userTexts.count > 1 { text += " This was message \(prompt.userTexts.count) of yours." }
        if !prompt.attachments.isEmpty { text += " It came with \(prompt.attachments.joined(separator: ", "))." }
        return text
    }

    private static func toolCalls(_ prompt: Prompt, _ said: String) -> [Scenario.Item] {
        let wanted: [Prompt.Tool]
        switch prompt.toolChoice {
        case .none: return []
        case .named(let name): wanted = prompt.tools.filter { $0.name == name }
        case .automatic, .required:
            let named = prompt.tools.filter { mentions(said, $0.name) }
            let isNeeded = named.isEmpty && prompt.toolChoice == .required
            wanted = isNeeded ? Array(prompt.tools.prefix(1)) : named
        }
        return wanted.prefix(prompt.allowsParallelCalls ? wanted.count : 1).map { tool in
            let arguments = tool.parameters.map { SchemaSample(schema: $0, text: said).value() } ?? [:]
            return .functionCall(name: tool.name, arguments: arguments.text)
        }
    }

    /// True if a message asks for a tool by its name, also with spaces for underscores.
    private static func mentions(_ text: String, _ name: String) -> Bool {
        let (text, name) = (text.lowercased(), name.lowercased())
        return text.contains(name) || text.contains(String(name.map { $0 == "_" || $0 == "-" ? " " : $0 }))
    }

    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}
