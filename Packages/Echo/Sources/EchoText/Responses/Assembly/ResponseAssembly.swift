// SPDX-License-Identifier: MIT

/// Puts an answer together from its events. Pure: events in, answer out.
///
/// Deltas make partial items; an event that ends in `done` replaces the result of its deltas, and the last event
/// replaces everything. Memory is that of the answer, regardless of the number of deltas.
package struct ResponseAssembly: Sendable {
    private var head = Response()
    private var items: [Int: PartialItem] = [:]
    private var isFinal = false

    /// The number of the last event that was applied.
    package private(set) var lastSequenceNumber: Int?

    /// An empty answer.
    package init() {}

    /// Applies the next event. After the last one, the answer no longer changes.
    package mutating func apply(_ event: ResponseStreamEvent) {
        if let number = event.sequenceNumber { lastSequenceNumber = max(number, lastSequenceNumber ?? number) }
        guard !isFinal else { return }
        let isDone = event.kind?.isDone == true
        switch event.detail {
        case .response(let response):
            if event.kind?.isLast == true { finish(response) } else { head = response }
        case .item(let event) where isDone: items[event.outputIndex, default: PartialItem()].finish(event.item)
        case .item(let event): items[event.outputIndex] = PartialItem(event.item)
        case .part(let event) where isDone:
            items[event.outputIndex, default: PartialItem()].replace(event.part, id: event.itemID, at: event.index)
        case .part(let event):
            items[event.outputIndex, default: PartialItem()].begin(event.part, id: event.itemID, at: event.index)
        case .text(let text):
            guard let slot = event.kind?.slot else { break }
            if isDone {
                items[text.outputIndex, default: PartialItem()].replace(
                    text.text, id: text.itemID, slot, at: text.index)
            } else {
                items[text.outputIndex, default: PartialItem()].append(text.text, id: text.itemID, slot, at: text.index)
            }
        case .annotation(let event):
            items[event.outputIndex, default: PartialItem()].annotate(event.annotation, at: event.contentIndex)
        case .progress, .sound, .error, .unknown: break
        }
    }

    /// The answer so far.
    package var response: Response { response(isCutOff: false) }

    /// The answer so far, with unfinished items marked as incomplete.
    package var interrupted: Response { response(isCutOff: true) }

    private func response(isCutOff: Bool) -> Response {
        guard !isFinal else { return head }
        var response = head
        response.output = items.sorted { $0.key < $1.key }.compactMap { $0.value.item(isCutOff: isCutOff) }
        if isCutOff { response.status = .incomplete }
        return response
    }

    /// Some servers send the last event without its items; then the items received before stay.
    private mutating func finish(_ response: Response) {
        head = response
        if response.output.isEmpty, !items.isEmpty {
            let isCutOff = response.status != .completed
            head.output = items.sorted { $0.key < $1.key }.compactMap { $0.value.item(isCutOff: isCutOff) }
        }
        items = [:]
        isFinal = true
    }
}

extension ResponseStreamEvent.Kind {
    /// True for the last event of an answer.
    var isLast: Bool { self == .completed || self == .incomplete || self == .failed }

    /// True for an event with the whole of what earlier events had in pieces.
    fileprivate var isDone: Bool { rawValue.utf8.suffix(5).elementsEqual(".done".utf8) }

    /// The place of the text within its item; `nil` for a text that the item has not.
    fileprivate var slot: PartialItem.Slot.Kind? {
        switch self {
        case .outputTextDelta, .outputTextDone: .text
        case .refusalDelta, .refusalDone: .refusal
        case .reasoningTextDelta, .reasoningTextDone: .reasoning
        case .reasoningSummaryTextDelta, .reasoningSummaryTextDone: .summary
        case .functionArgumentsDelta, .functionArgumentsDone, .mcpCallArgumentsDelta, .mcpCallArgumentsDone: .arguments
        case .customToolInputDelta, .customToolInputDone: .input
        case .codeInterpreterCodeDelta, .codeInterpreterCodeDone: .code
        default: nil
        }
    }
}
