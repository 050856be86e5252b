// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// The event with its sequence number; for the kinds that the chat API leads to.
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
