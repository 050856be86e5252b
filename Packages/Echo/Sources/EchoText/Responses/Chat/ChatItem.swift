// SPDX-License-Identifier: MIT

/// An item that is assembled from the chat API's chunks. Its texts grow in place.
struct ChatItem: Sendable {
    /// An event without its number.
    typealias Event = (kind: ResponseStreamEvent.Kind, detail: ResponseStreamEvent.Detail)

    /// The kind of a piece of text.
    enum Kind: Sendable {
        case text
        case refusal
        case reasoning
        case arguments
    }

    private enum Form: Sendable {
        case message
        case reasoning
        case call(id: String, index: Int?)
    }

    private let id: String
    private let form: Form
    private var name = ""
    /// The text so far.
    private var text = ""
    private var refusal = ""
    /// The parts of a message, in the order in which they began.
    private var parts: [Kind] = []

    private init(id: String, form: Form) {
        self.id = id
        self.form = form
    }

    static func message(id: String) -> ChatItem { ChatItem(id: id, form: .message) }

    static func reasoning(id: String) -> ChatItem { ChatItem(id: id, form: .reasoning) }

    static func call(itemID: String, callID: String, name: String, index: Int?) -> ChatItem {
        var item = ChatItem(id: itemID, form: .call(id: callID, index: index))
        item.name = name
        return item
    }

    var isReasoning: Bool { if case .reasoning = form { true } else { false } }
    var isCall: Bool { if case .call = form { true } else { false } }

    /// True if a fragment belongs to this call. Without an index, a fragment with a name begins a new call; with a
    /// known index, a fragment with another id and a name does.
    func continues(index: Int?, id: String?, name: String?) -> Bool {
        guard case .call(let ownID, let ownIndex) = form else { return false }
        guard let index else { return name == nil || id == ownID }
        return index == ownIndex && (id == nil || id == ownID || name == nil)
    }

    /// Sets the call's name, unless it has one.
    mutating func name(_ name: String?) {
        if let name, self.name.isEmpty { self.name = name }
    }

    /// Appends to a text, and returns the events that report it.
    mutating func append(_ more: String, _ kind: Kind, at place: Int) -> [Event] {
        var events: [Event] = []
        if case .message = form, !parts.contains(kind) {
            parts.append(kind)
            let part = kind == .refusal ? ContentPart.refusal("") : .outputText(OutputText(""))
            events.append((.contentPartAdded, event(part, kind, place)))
        }
        if kind == .refusal { refusal += more } else { text += more }
        let event = event(more, kind, place)
        switch kind {
        case .text: events.append((.outputTextDelta, event))
        case .refusal: events.append((.refusalDelta, event))
        case .reasoning: events.append((.reasoningTextDelta, event))
        case .arguments: events.append((.functionArgumentsDelta, event))
        }
        return events
    }

    /// The events that end it.
    func end(at place: Int, isCutOff: Bool) -> [Event] {
        var events: [Event] = []
        switch form {
        case .message:
            for kind in parts {
                events.append(
                    kind == .refusal
                        ? (.refusalDone, event(refusal, kind, place)) : (.outputTextDone, event(text, kind, place)))
                events.append((.contentPartDone, event(part(kind), kind, place)))
            }
        case .reasoning: events.append((.reasoningTextDone, event(text, .reasoning, place)))
        case .call: events.append((.functionArgumentsDone, event(arguments, .arguments, place)))
        }
        let item = item(status: isCutOff ? .incomplete : .completed)
        return events + [(.outputItemDone, .item(ItemEvent(item: item, outputIndex: place)))]
    }

    /// The item, which is empty while it is in progress: its texts arrive as deltas.
    func item(status: ItemStatus) -> ResponseItem {
        let isWhole = status != .inProgress
        switch form {
        case .message:
            return .message(
                MessageItem(id: id, role: .assistant, content: isWhole ? parts.map(part) : [], status: status))
        case .reasoning:
            return .reasoning(ReasoningItem(id: id, content: isWhole ? [text] : [], status: status))
        case .call(let callID, _):
            return .functionCall(
                FunctionCallItem(
                    id: id, callID: callID, name: name, arguments: isWhole ? arguments : "", status: status))
        }
    }

    /// A call without arguments is one with an empty object.
    private var arguments: String { text.isEmpty ? "{}" : text }

    private func part(_ kind: Kind) -> ContentPart {
        kind == .refusal ? .refusal(refusal) : .outputText(OutputText(text))
    }

    private func event(_ text: String, _ kind: Kind, _ place: Int) -> ResponseStreamEvent.Detail {
        .text(TextEvent(text, itemID: id, outputIndex: place, index: parts.firstIndex(of: kind) ?? 0))
    }

    private func event(_ part: ContentPart, _ kind: Kind, _ place: Int) -> ResponseStreamEvent.Detail {
        .part(PartEvent(part: part, itemID: id, outputIndex: place, index: parts.firstIndex(of: kind) ?? 0))
    }
}
