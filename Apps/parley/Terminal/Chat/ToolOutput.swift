// SPDX-License-Identifier: MIT

import Diagnostics
import Echo

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

    /// `nil` for the model's text and starting servers.
    init?(_ happening: ChatEvent) {
        switch happening {
        case .text, .startingServers: return nil
        case .toolStarted(let call):
            event = "toolCall"
            (id, name, arguments) = (call.id, call.name, call.arguments)
        case .toolEnded(let call, let result, let duration):
            event = "toolResult"
            (id, name) = (call.id, call.name)
            (isError, output, milliseconds) = (result.isError, result.output, duration.milliseconds)
        case .toolDenied(let call, let result, _):
            event = "toolResult"
            (id, name, isError, output) = (call.id, call.name, result.isError, result.output)
        case .notice(let text):
            event = "notice"
            self.text = text
        }
    }
}
