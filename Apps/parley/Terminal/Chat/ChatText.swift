// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo
import TerminalKit

/// The texts of `/tools` and `/cost`.
enum ChatText {
    static func tools(_ tools: [ChatTool], _ console: Console) throws {
        if console.isJSON { return try console.emit(["tools": tools.map(ToolOutput.init)]) }
        guard !tools.isEmpty else {
            return console.progress("There are no tools. parley mcp add NAME -- COMMAND adds a server that has some.")
        }
        for tool in tools {
            let description = ForeignText.short(tool.description, limit: 60)
            try console.show(
                "\(console.styled(ForeignText.short(tool.name, limit: 64), .strong))  \(description)  "
                    + console.styled("\(tool.server.printable), \(console.text(tool.standing))", .muted))
        }
    }

    static func cost(_ cost: ModelCost?, _ console: Console) throws {
        guard let cost else { return console.progress("The local assistant costs nothing.") }
        if console.isJSON { return try console.emit(CostOutput(cost)) }
        for line in lines(cost) { try console.tell(line) }
    }

    static func lines(_ cost: ModelCost) -> [Sentence] {
        var lines = cost.usage.sorted { $0.key < $1.key }.map { model, usage -> Sentence in
            let tokens: Sentence =
                "\(model): \(usage.inputTokens) tokens in (\(usage.cachedInputTokens) cached), \(usage.outputTokens) out (\(usage.reasoningTokens) reasoning)"
            return cost.unpriced.contains(model) ? "\(tokens), no price known" : tokens
        }
        if cost.unknown > 0 {
            lines.append(
                Sentence(
                    one: "\(cost.unknown) answer of which the server did not say the tokens",
                    other: "\(cost.unknown) answers of which the server did not say the tokens", count: cost.unknown))
        }
        let spent = ModelCost.money(cost.cost)
        guard let budget = cost.budget else { return lines + ["\(spent) so far"] }
        let left = ModelCost.money(max(0, budget - cost.cost))
        return lines + ["\(spent) so far, \(left) left of \(ModelCost.money(budget))" as Sentence]
    }

    private struct ToolOutput: Encodable {
        let name: String
        let server: String
        let description: String
        let standing: String

        init(_ tool: ChatTool) {
            (name, server, description, standing) = (
                tool.name, tool.server, tool.description, tool.standing.english
            )
        }
    }

    private struct CostOutput: Encodable {
        let event = "cost"
        let usage: [String: UsageOutput]
        let cost: Double
        let budget: Double?

        init(_ cost: ModelCost) {
            usage = cost.usage.mapValues { UsageOutput($0, since: Usage()) }
            (self.cost, budget) = (cost.cost, cost.budget)
        }

        private enum CodingKeys: String, CodingKey { case event, usage, cost, budget }
    }
}

/// The JSON form of tokens.
struct UsageOutput: Encodable {
    let inputTokens: Int
    let cachedInputTokens: Int
    let outputTokens: Int
    let reasoningTokens: Int

    /// The tokens that were added since.
    init(_ usage: Usage, since before: Usage) {
        inputTokens = usage.inputTokens - before.inputTokens
        cachedInputTokens = usage.cachedInputTokens - before.cachedInputTokens
        outputTokens = usage.outputTokens - before.outputTokens
        reasoningTokens = usage.reasoningTokens - before.reasoningTokens
    }
}
