// SPDX-License-Identifier: MIT

import Domain

/// A call of a tool, or a notice, for programs: `{"event":"toolCall",…}`, a line each.
struct ToolOutput: Encodable {
    private let event: String
    private var id: String?
    private var name: String?
    private var arguments: String?
    private var isError: Bool?
    private var output: String?
    private var milliseconds: Double?
    private var text: String?

    /// `nil` for the model's text, files and starting servers.
    init?(_ happening: AnswerEvent) {
        switch happening {
        case .delta, .attached, .starting: return nil
        case .toolCalled(let use):
            event = "toolCall"
            (id, name, arguments) = (use.id, use.name, use.arguments)
        case .toolReturned(let use, let output, let isError, let duration):
            event = "toolResult"
            (id, name) = (use.id, use.name)
            (self.isError, self.output, milliseconds) = (isError, output, duration.milliseconds)
        case .toolRefused(let use, let refusal):
            event = "toolResult"
            (id, name, isError) = (use.id, use.name, true)
            output = "The call was not allowed: \(refusal.reason)"
        case .notice(let notice):
            event = "notice"
            text = notice.sentence.english
        case .unavailable(_, let error):
            event = "notice"
            text = error.unavailableText.english
        case .available:
            event = "notice"
            text = AnswerEventText.available.english
        }
    }
}
