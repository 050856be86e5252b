// SPDX-License-Identifier: MIT

/// An item in progress: its first form, and the texts received since, each growing by itself.
struct PartialItem: Sendable {
    /// A text within an item.
    struct Slot: Hashable, Comparable {
        enum Kind: Int {
            case text
            case refusal
            case reasoning
            case summary
            case arguments
            case input
            case code
        }

        let kind: Kind
        let index: Int

        static func < (first: Slot, second: Slot) -> Bool {
            (first.index, first.kind.rawValue) < (second.index, second.kind.rawValue)
        }
    }

    private var begun: ResponseItem?
    private var done: ResponseItem?
    private var id = ""
    private var texts: [Slot: String] = [:]
    private var annotations: [Int: [JSONValue]] = [:]
    private var others: [Int: ContentPart] = [:]

    init(_ item: ResponseItem? = nil) { begun = item }

    mutating func finish(_ item: ResponseItem) {
        done = item
        texts = [:]
        annotations = [:]
        others = [:]
    }

    mutating func append(_ text: String, id: String, _ kind: Slot.Kind, at index: Int) {
        if self.id.isEmpty { self.id = id }
        texts[Slot(kind: kind, index: index), default: ""] += text
    }

    mutating func replace(_ text: String, id: String, _ kind: Slot.Kind, at index: Int) {
        if self.id.isEmpty { self.id = id }
        texts[Slot(kind: kind, index: index)] = text
    }

    mutating func annotate(_ annotation: JSONValue, at index: Int) {
        annotations[index, default: []].append(annotation)
    }

    mutating func begin(_ part: ContentPart, id: String, at index: Int) {
        if let kind = Slot.Kind(part), texts[Slot(kind: kind, index: index)] != nil { return }
        replace(part, id: id, at: index)
    }

    mutating func replace(_ part: ContentPart, id: String, at index: Int) {
        guard let kind = Slot.Kind(part), let text = part.text else {
            others[index] = part
            return
        }
        if case .outputText(let output) = part, !output.annotations.isEmpty { annotations[index] = output.annotations }
        replace(text, id: id, kind, at: index)
    }

    /// The item so far; `nil` if its kind is unknown.
    func item(isCutOff: Bool) -> ResponseItem? {
        if let done { return done }
        let status = isCutOff ? ItemStatus.incomplete : nil
        switch begun {
        case .message(var message)?:
            let parts = parts
            if !parts.isEmpty { message.content = parts }
            message.status = status ?? message.status
            return .message(message)
        case .functionCall(var call)?:
            call.arguments = first(.arguments) ?? call.arguments
            call.status = status ?? call.status
            return .functionCall(call)
        case .customToolCall(var call)?:
            call.input = first(.input) ?? call.input
            return .customToolCall(call)
        case .reasoning(var reasoning)?:
            let summary = all(.summary)
            let content = all(.reasoning)
            if !summary.isEmpty { reasoning.summary = summary }
            if !content.isEmpty { reasoning.content = content }
            reasoning.status = status ?? reasoning.status
            return .reasoning(reasoning)
        case .unknown(let type, .object(var object))?:
            object.set("arguments", first(.arguments).map(JSONValue.string))
            object.set("code", first(.code).map(JSONValue.string))
            if isCutOff, object["status"] != nil { object["status"] = "incomplete" }
            return .unknown(type: type, .object(object))
        case let other?: return other
        case nil:
            // Some servers do not announce an item.
            let parts = parts
            guard !parts.isEmpty else { return nil }
            return .message(MessageItem(id: id.isEmpty ? nil : id, role: .assistant, content: parts, status: status))
        }
    }

    private var parts: [ContentPart] {
        var parts: [(Int, ContentPart)] = others.map { ($0.key, $0.value) }
        for (slot, text) in texts {
            switch slot.kind {
            case .text:
                parts.append((slot.index, .outputText(OutputText(text, annotations: annotations[slot.index] ?? []))))
            case .refusal: parts.append((slot.index, .refusal(text)))
            default: break
            }
        }
        return parts.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func first(_ kind: Slot.Kind) -> String? {
        texts.filter { $0.key.kind == kind }.min { $0.key < $1.key }?.value
    }

    private func all(_ kind: Slot.Kind) -> [String] {
        texts.filter { $0.key.kind == kind }.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension PartialItem.Slot.Kind {
    /// The place of a part's text; `nil` for a part without text.
    fileprivate init?(_ part: ContentPart) {
        switch part {
        case .outputText: self = .text
        case .refusal: self = .refusal
        case .reasoningText: self = .reasoning
        case .summaryText: self = .summary
        default: return nil
        }
    }
}
