// SPDX-License-Identifier: MIT

/// Turns the chat API's chunks into events of the responses API. Pure.
///
/// Tolerates what servers do: no ids, calls whose fragments have no index or one index for all, arguments as an object,
/// null contents, whole messages instead of deltas, thoughts as `reasoning_content` or `reasoning`, usage in a chunk
/// without choices after the last one or in every chunk, and no `[DONE]`.
struct ChatStreamStateMachine: Sendable {
    let request: ResponsesRequest
    /// Makes ids for items to which the server gives no id.
    let identifier: @Sendable (_ prefix: String) -> String

    private var response: Response
    private var hasBegun = false
    private var isOver = false
    private var number = 0
    private var items: [ChatItem] = []
    private var reason: String?

    init(request: ResponsesRequest, identifier: @escaping @Sendable (String) -> String) {
        self.request = request
        self.identifier = identifier
        response = Response(model: request.model.rawValue, metadata: request.metadata)
    }

    /// True if the server gave the reason why the model stopped.
    var hasReason: Bool { reason != nil }

    /// A chunk of a stream.
    mutating func receive(_ json: JSONValue, into events: inout [ResponseStreamEvent]) throws(WireError) {
        guard !isOver else { return }
        let chunk = try WireObject(json, "chunk")
        if let error = chunk["error"] {
            isOver = true
            emit(.error, .error(APIFailure(json: error)), into: &events)
            return
        }
        begin(chunk, into: &events)
        if let usage = Usage(json: chunk["usage"]) { response.usage = usage }
        guard let choice = chunk.array("choices").first else { return }
        if let said = choice["delta"] ?? choice["message"], !said.isNull {
            try add(try WireObject(said, "delta"), into: &events)
        }
        if let said = choice["finish_reason"]?.string { reason = said }
    }

    /// A whole answer.
    ///
    /// - Throws: `WireError` if it contains no answer.
    mutating func receive(whole json: JSONValue, into events: inout [ResponseStreamEvent]) throws(WireError) {
        guard json["choices"]?[0] != nil || json["error"]?.isNull == false else {
            throw WireError("chat completion", field: "choices", expected: "array of answers")
        }
        try receive(json, into: &events)
        reason = reason ?? "stop"
    }

    /// Handles the end of the bytes: adds the events that end the items and the answer.
    mutating func ended(into events: inout [ResponseStreamEvent]) {
        guard !isOver else { return }
        isOver = true
        if !hasBegun { begin(nil, into: &events) }
        response.status = .completed
        switch reason {
        case "length", "max_tokens", "model_length": cutOff("max_output_tokens")
        case "content_filter": cutOff("content_filter")
        default: break
        }
        for index in items.indices {
            for (kind, detail) in items[index].end(at: index, isCutOff: response.status == .incomplete) {
                emit(kind, detail, into: &events)
            }
        }
        response.output = items.map { $0.item(status: response.status == .incomplete ? .incomplete : .completed) }
        emit(response.status == .incomplete ? .incomplete : .completed, .response(response), into: &events)
    }

    private mutating func cutOff(_ why: String) {
        response.status = .incomplete
        response.incompleteReason = why
    }

    private mutating func begin(_ chunk: WireObject?, into events: inout [ResponseStreamEvent]) {
        guard !hasBegun else { return }
        hasBegun = true
        let id = chunk?.optionalString("id") ?? ""
        response.id = id.isEmpty ? identifier("chatcmpl_") : id
        if let model = chunk?.optionalString("model"), !model.isEmpty { response.model = model }
        response.createdAt = chunk?["created"]?.double
        emit(.created, .response(response), into: &events)
    }

    private mutating func add(_ delta: WireObject, into events: inout [ResponseStreamEvent]) throws(WireError) {
        if let thoughts = delta.optionalString("reasoning_content") ?? delta.optionalString("reasoning"),
            !thoughts.isEmpty
        {
            append(thoughts, to: .reasoning, into: &events)
        }
        let text = Self.text(delta["content"])
        if !text.isEmpty { append(text, to: .text, into: &events) }
        if let refusal = delta.optionalString("refusal"), !refusal.isEmpty {
            append(refusal, to: .refusal, into: &events)
        }
        for call in delta.array("tool_calls") { try addCall(try WireObject(call, "tool call"), into: &events) }
    }

    /// The text of a string, or of a list of parts.
    private static func text(_ content: JSONValue?) -> String {
        content?.string ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined()
    }

    private mutating func append(_ text: String, to kind: ChatItem.Kind, into events: inout [ResponseStreamEvent]) {
        let place = place(of: kind, into: &events)
        for (kind, detail) in items[place].append(text, kind, at: place) { emit(kind, detail, into: &events) }
    }

    /// The index of the item for such text: a message has both text and refusal.
    private mutating func place(of kind: ChatItem.Kind, into events: inout [ResponseStreamEvent]) -> Int {
        let isThought = kind == .reasoning
        if let place = items.firstIndex(where: { $0.isReasoning == isThought && !$0.isCall }) { return place }
        return begin(
            isThought ? .reasoning(id: identifier("rs_")) : .message(id: identifier("msg_")), into: &events)
    }

    private mutating func begin(_ item: ChatItem, into events: inout [ResponseStreamEvent]) -> Int {
        items.append(item)
        emit(
            .outputItemAdded, .item(ItemEvent(item: item.item(status: .inProgress), outputIndex: items.count - 1)),
            into: &events)
        return items.count - 1
    }

    private mutating func addCall(_ call: WireObject, into events: inout [ResponseStreamEvent]) throws(WireError) {
        let function = try WireObject(call["function"] ?? .object([:]), "tool call's function")
        let id = call.optionalString("id").flatMap { $0.isEmpty ? nil : $0 }
        let name = function.optionalString("name").flatMap { $0.isEmpty ? nil : $0 }
        let arguments =
            switch function["arguments"] {
            case .string(let text)?: text
            case nil: ""
            case let value?: value.text
            }
        let index = call["index"]?.integer
        let place =
            items.lastIndex { $0.continues(index: index, id: id, name: name) }
            ?? begin(
                .call(
                    itemID: identifier("fc_"), callID: id ?? identifier("call_"), name: name ?? "", index: index),
                into: &events)
        items[place].name(name)
        guard !arguments.isEmpty else { return }
        for (kind, detail) in items[place].append(arguments, .arguments, at: place) {
            emit(kind, detail, into: &events)
        }
    }

    private mutating func emit(
        _ kind: ResponseStreamEvent.Kind, _ detail: ResponseStreamEvent.Detail,
        into events: inout [ResponseStreamEvent]
    ) {
        events.append(ResponseStreamEvent(kind, detail, sequenceNumber: number))
        number += 1
    }
}
