// SPDX-License-Identifier: MIT

/// An item that is put together from the chat API's chunks.
struct ChatItem: Sendable {
    /// Where text goes.
    enum Kind: Sendable {
        case text
        case refusal
        case reasoning
        case arguments
    }

    private enum Form: Sendable {
        case message(text: String?, refusal: String?)
        case reasoning(String)
        case call(id: String, name: String, arguments: String, index: Int?)
    }

    private let id: String
    private var form: Form

    static func message(id: String) -> ChatItem { ChatItem(id: id, form: .message(text: nil, refusal: nil)) }

    static func reasoning(id: String) -> ChatItem { ChatItem(id: id, form: .reasoning("")) }

    static func call(itemID: String, callID: String, name: String, index: Int?) -> ChatItem {
        ChatItem(id: itemID, form: .call(id: callID, name: name, arguments: "", index: index))
    }

    var isReasoning: Bool { if case .reasoning = form { true } else { false } }
    var isCall: Bool { if case .call = form { true } else { false } }

    /// Whether a fragment belongs to this call. Without an index, one that brings a name begins a new call; with an index
    /// that is taken, one that brings another id and a name does.
    func continues(index: Int?, id: String?, name: String?) -> Bool {
        guard case .call(let ownID, _, _, let ownIndex) = form else { return false }
        guard let index else { return name == nil || id == ownID }
        return index == ownIndex && (id == nil || id == ownID || name == nil)
    }

    /// The call's name has come.
    mutating func name(_ name: String?) {
        guard let name, case .call(let id, "", let arguments, let index) = form else { return }
        form = .call(id: id, name: name, arguments: arguments, index: index)
    }

    /// More of a text, and the events that say so.
    mutating func append(_ more: String, _ kind: Kind, at place: Int) -> [ResponseStreamEvent] {
        let event = TextEvent(text: more, itemID: id, outputIndex: place, index: partIndex(kind))
        switch (form, kind) {
        case (.message(var text, let refusal), .text):
            let isFirst = text == nil
            form = .message(text: nil, refusal: nil)
            text = (text ?? "") + more
            form = .message(text: text, refusal: refusal)
            return (isFirst ? [.contentPartAdded(part(.outputText(OutputText("")), event))] : [])
                + [.outputTextDelta(event)]
        case (.message(let text, var refusal), .refusal):
            let isFirst = refusal == nil
            refusal = (refusal ?? "") + more
            form = .message(text: text, refusal: refusal)
            return (isFirst ? [.contentPartAdded(part(.refusal(""), event))] : []) + [.refusalDelta(event)]
        case (.reasoning(let text), .reasoning):
            form = .reasoning(text + more)
            return [.reasoningTextDelta(event)]
        case (.call(let id, let name, let arguments, let index), .arguments):
            form = .call(id: id, name: name, arguments: arguments + more, index: index)
            return [.functionArgumentsDelta(event)]
        default: return []
        }
    }

    /// The events that end it.
    func end(at place: Int, isCutOff: Bool) -> [ResponseStreamEvent] {
        var events: [ResponseStreamEvent] = []
        func event(_ text: String, _ kind: Kind) -> TextEvent {
            TextEvent(text: text, itemID: id, outputIndex: place, index: partIndex(kind))
        }
        switch form {
        case .message(let text, let refusal):
            if let text {
                let event = event(text, .text)
                events += [.outputTextDone(event), .contentPartDone(part(.outputText(OutputText(text)), event))]
            }
            if let refusal {
                let event = event(refusal, .refusal)
                events += [.refusalDone(event), .contentPartDone(part(.refusal(refusal), event))]
            }
        case .reasoning(let text): events.append(.reasoningTextDone(event(text, .reasoning)))
        case .call: events.append(.functionArgumentsDone(event(wholeArguments, .arguments)))
        }
        return events + [
            .outputItemDone(ItemEvent(item: item(status: isCutOff ? .incomplete : .completed), outputIndex: place))
        ]
    }

    /// The item as it is when it is whole.
    var item: ResponseItem { item(status: .completed) }

    func item(status: ItemStatus) -> ResponseItem {
        switch form {
        case .message(let text, let refusal):
            let parts = [text.map { ContentPart.outputText(OutputText($0)) }, refusal.map(ContentPart.refusal)]
            return .message(MessageItem(id: id, role: .assistant, content: parts.compactMap { $0 }, status: status))
        case .reasoning(let text):
            return .reasoning(ReasoningItem(id: id, content: text.isEmpty ? [] : [text], status: status))
        case .call(let callID, let name, _, _):
            let arguments = status == .inProgress ? "" : wholeArguments
            return .functionCall(
                FunctionCallItem(id: id, callID: callID, name: name, arguments: arguments, status: status))
        }
    }

    /// A call without arguments is one with an empty object.
    private var wholeArguments: String {
        guard case .call(_, _, let arguments, _) = form else { return "" }
        return arguments.isEmpty ? "{}" : arguments
    }

    /// A refusal follows the text that came before it.
    private func partIndex(_ kind: Kind) -> Int {
        if kind == .refusal, case .message(_?, _) = form { 1 } else { 0 }
    }

    private func part(_ part: ContentPart, _ event: TextEvent) -> PartEvent {
        PartEvent(part: part, itemID: event.itemID, outputIndex: event.outputIndex, index: event.index)
    }
}

extension ResponseStreamEvent {
    /// The event with its place in the stream; for the kinds that the chat API leads to.
    func numbered(_ number: Int) -> ResponseStreamEvent {
        switch self {
        case .outputItemAdded(var event):
            event.sequenceNumber = number
            return .outputItemAdded(event)
        case .outputItemDone(var event):
            event.sequenceNumber = number
            return .outputItemDone(event)
        case .contentPartAdded(var event):
            event.sequenceNumber = number
            return .contentPartAdded(event)
        case .contentPartDone(var event):
            event.sequenceNumber = number
            return .contentPartDone(event)
        case .outputTextDelta(let event): return .outputTextDelta(event.numbered(number))
        case .outputTextDone(let event): return .outputTextDone(event.numbered(number))
        case .refusalDelta(let event): return .refusalDelta(event.numbered(number))
        case .refusalDone(let event): return .refusalDone(event.numbered(number))
        case .reasoningTextDelta(let event): return .reasoningTextDelta(event.numbered(number))
        case .reasoningTextDone(let event): return .reasoningTextDone(event.numbered(number))
        case .functionArgumentsDelta(let event): return .functionArgumentsDelta(event.numbered(number))
        case .functionArgumentsDone(let event): return .functionArgumentsDone(event.numbered(number))
        default: return self
        }
    }
}

extension TextEvent {
    fileprivate func numbered(_ number: Int) -> TextEvent {
        var event = self
        event.sequenceNumber = number
        return event
    }
}
