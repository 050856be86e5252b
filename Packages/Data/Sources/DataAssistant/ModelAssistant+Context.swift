// SPDX-License-Identifier: MIT

package import Domain
import Echo

extension ModelAssistant {
    /// Puts the person's situation before the question, in the place of what an earlier question had, and reports it, so that
    /// the turn stores what is sent. Without their consent nothing of it is sent any more.
    func share(
        _ question: AssistantQuestion, _ report: @Sendable (AnswerEvent) async throws -> Void
    ) async throws {
        guard await mode == .text else { return }
        let history = try await current().history
        let others = history.filter { !$0.isContext }
        let text = question.sharesContext ? question.context?.text : nil
        if let text, let context = question.context {
            let use = ToolUse(recording: context, as: "context-\(question.turn)")
            try await report(.toolCalled(use))
            try await report(.toolReturned(use, output: text, isError: false, took: .zero))
        }
        guard text != nil || others.count < history.count else { return }
        await restart(after: others + (text.map { [.message(.user, $0)] } ?? []))
    }
}

extension ToolUse {
    /// The record of a situation that a model gets.
    package init(recording context: UserContext, as id: String) {
        let names = context.readings.map { "\"\($0.part.rawValue)\"" }.joined(separator: ",")
        self.init(id: id, name: UserContext.recordName, arguments: #"{"parts":[\#(names)]}"#)
    }
}
