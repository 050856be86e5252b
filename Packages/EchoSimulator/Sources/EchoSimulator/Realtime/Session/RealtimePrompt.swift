// SPDX-License-Identifier: MIT

import StructuredJSON

/// Reads the input of an answer.
enum RealtimePrompt {
    static func prompt(for answer: RealtimeAnswer, in session: RealtimeSessionState) -> Prompt {
        var prompt = Prompt()
        var names: [String: String] = [:]
        for item in answer.reading ?? session.items.all {
            switch item.type {
            case "message" where item.role == "user":
                prompt.userTexts.append(text(of: item, session.hearings[item.id]))
                prompt.toolOutputs = []
            case "message": if item.role == "assistant" { prompt.toolOutputs = [] }
            case "function_call": names[item.json["call_id"]?.string ?? ""] = item.json["name"]?.string
            case "function_call_output":
                let name = names[item.json["call_id"]?.string ?? ""] ?? "function"
                prompt.toolOutputs.append((name, item.json["output"]?.string ?? ""))
            default: break
            }
        }
        prompt.tools = (answer.tools?.array ?? []).filter { $0["type"] == "function" }.map {
            Prompt.Tool(name: $0["name"]?.string ?? "", parameters: $0["parameters"])
        }
        switch answer.toolChoice?.string ?? answer.toolChoice?["type"]?.string {
        case "none": prompt.toolChoice = .none
        case "required": prompt.toolChoice = .required
        case "function": prompt.toolChoice = .named(answer.toolChoice?["name"]?.string ?? "")
        default: prompt.toolChoice = .automatic
        }
        prompt.maximumTokens = answer.fields["max_output_tokens"]?.integer
        return prompt
    }

    private static func text(of item: RealtimeItems.Item, _ hearing: RealtimeHearing?) -> String {
        if let text = hearing?.text ?? item.heard { return text }
        if let text = item.text { return text }
        return item.hasSound ? Self.length(item.length) : ""
    }

    /// The transcript where no recogniser is configured: it says how long the sound is.
    static func length(_ samples: Int) -> String {
        let tenths =
            (samples * 10 + SoundFormat.samplesPerMillisecond * 500) / (SoundFormat.samplesPerMillisecond * 1_000)
        return "This is speech of \(tenths / 10).\(tenths % 10) seconds."
    }
}
