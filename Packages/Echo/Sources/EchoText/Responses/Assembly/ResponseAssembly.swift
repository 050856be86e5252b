// SPDX-License-Identifier: MIT

/// Puts an answer together from its events. Pure: events in, answer out.
///
/// Deltas make partial items; an event that ends in `done` replaces the result of its deltas, and the last event
/// replaces everything. Memory is that of the answer, regardless of the number of deltas.
public struct ResponseAssembly: Sendable {
    private var head = Response()
    private var items: [Int: PartialItem] = [:]
    private var isFinal = false

    /// The number of the last event that was applied.
    public private(set) var lastSequenceNumber: Int?

    /// An empty answer.
    public init() {}

    /// Applies the next event. After the last one, the answer no longer changes.
    public mutating func apply(_ event: ResponseStreamEvent) {
        if let number = event.sequenceNumber { lastSequenceNumber = max(number, lastSequenceNumber ?? number) }
        guard !isFinal else { return }
        switch event {
        case .created(let event), .queued(let event), .inProgress(let event): head = event.response
        case .completed(let event), .incomplete(let event), .failed(let event): finish(event.response)
        case .outputItemAdded(let event): items[event.outputIndex] = PartialItem(event.item)
        case .outputItemDone(let event): items[event.outputIndex, default: PartialItem()].finish(event.item)
        case .contentPartAdded(let event):
            items[event.outputIndex, default: PartialItem()].begin(event.part, id: event.itemID, at: event.index)
        case .contentPartDone(let event):
            items[event.outputIndex, default: PartialItem()].replace(event.part, id: event.itemID, at: event.index)
        case .reasoningSummaryPartAdded(let event):
            items[event.outputIndex, default: PartialItem()].begin(event.part, id: event.itemID, at: event.index)
        case .reasoningSummaryPartDone(let event):
            items[event.outputIndex, default: PartialItem()].replace(event.part, id: event.itemID, at: event.index)
        case .outputTextAnnotationAdded(let event):
            items[event.outputIndex, default: PartialItem()].annotate(event.annotation, at: event.contentIndex)
        case .outputTextDelta(let event): append(event, .text)
        case .outputTextDone(let event): replace(event, .text)
        case .refusalDelta(let event): append(event, .refusal)
        case .refusalDone(let event): replace(event, .refusal)
        case .reasoningTextDelta(let event): append(event, .reasoning)
        case .reasoningTextDone(let event): replace(event, .reasoning)
        case .reasoningSummaryTextDelta(let event): append(event, .summary)
        case .reasoningSummaryTextDone(let event): replace(event, .summary)
        case .functionArgumentsDelta(let event), .mcpCallArgumentsDelta(let event): append(event, .arguments)
        case .functionArgumentsDone(let event), .mcpCallArgumentsDone(let event): replace(event, .arguments)
        case .customToolInputDelta(let event): append(event, .input)
        case .customToolInputDone(let event): replace(event, .input)
        case .codeInterpreterCodeDelta(let event): append(event, .code)
        case .codeInterpreterCodeDone(let event): replace(event, .code)
        default: break
        }
    }

    /// The answer so far.
    public var response: Response { response(isCutOff: false) }

    /// The answer so far, with unfinished items marked as incomplete.
    public var interrupted: Response { response(isCutOff: true) }

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

    private mutating func append(_ event: TextEvent, _ kind: PartialItem.Slot.Kind) {
        items[event.outputIndex, default: PartialItem()].append(event.text, id: event.itemID, kind, at: event.index)
    }

    private mutating func replace(_ event: TextEvent, _ kind: PartialItem.Slot.Kind) {
        items[event.outputIndex, default: PartialItem()].replace(event.text, id: event.itemID, kind, at: event.index)
    }
}
