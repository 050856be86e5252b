// SPDX-License-Identifier: MIT

import StructuredJSON

extension ChatCompletion {
    /// The data of each event of the stream, `[DONE]` at the end.
    func chunks(includesUsage: Bool, size: Int?) -> [String] {
        var objects = opening.map { [chunk($0)] } ?? []
        if let field = dialect.reasoningField {
            objects += TextChunks.split(reasoning, size: size).map { chunk(delta([field: .string($0)])) }
        }
        objects += TextChunks.split(text, size: size).map { chunk(delta(["content": .string($0)])) }
        for case .refusal(let text) in answer.items {
            objects += TextChunks.split(text, size: size).map { chunk(["refusal": .string($0)]) }
        }
        for (index, call) in calls.enumerated() { objects += chunks(of: call, at: index, size: size) }
        if case .failed(let code, let message) = answer.status {
            let error = APIError(status: 500, message: message, type: "server_error", code: code)
            return texts(objects, includesUsage) + [dialect.body(of: error).text]
        }
        var last = chunk(closing, finishReason: finishReason)
        if dialect == .llamaCpp, !includesUsage { last["timings"] = timings }
        objects.append(last)
        var texts = texts(objects, includesUsage)
        if includesUsage {
            var object = head("chat.completion.chunk", choices: [])
            object["usage"] = usageJSON
            if dialect == .llamaCpp { object["timings"] = timings }
            texts.append(JSONValue.object(object).text)
        }
        return texts + ["[DONE]"]
    }

    private func texts(_ objects: [JSONObject], _ includesUsage: Bool) -> [String] {
        objects.map { object in
            var object = object
            if dialect.isStrict, includesUsage { object["usage"] = .null }
            return JSONValue.object(object).text
        }
    }

    /// The members of the first delta, sent before any text.
    private var opening: JSONObject? {
        switch dialect {
        case .openAI: ["role": "assistant", "content": "", "refusal": nil]
        case .llamaCpp: ["role": "assistant", "content": nil]
        case .ollama: nil
        case .vLLM: ["role": "assistant", "content": ""]
        }
    }

    private var closing: JSONObject {
        switch dialect {
        case .openAI, .llamaCpp: [:]
        case .ollama: ["role": "assistant", "content": ""]
        case .vLLM: ["content": ""]
        }
    }

    private func delta(_ members: JSONObject) -> JSONObject {
        guard dialect == .ollama else { return members }
        var delta: JSONObject = ["role": "assistant", "content": ""]
        for (name, value) in members { delta[name] = value }
        return delta
    }

    private func chunks(
        of call: (id: String, name: String, arguments: String), at index: Int, size: Int?
    ) -> [JSONObject] {
        func piece(_ head: JSONObject, _ function: JSONObject) -> JSONObject {
            var call: JSONObject = ["index": .integer(index)]
            for (name, value) in head { call[name] = value }
            call["function"] = .object(function)
            return chunk(delta(["tool_calls": [.object(call)]]))
        }
        let head: JSONObject = ["id": .string(call.id), "type": "function"]
        if dialect == .ollama {
            return [piece(head, ["name": .string(call.name), "arguments": .string(call.arguments)])]
        }
        let pieces = TextChunks.split(call.arguments, size: size ?? 4)
        return [piece(head, ["name": .string(call.name), "arguments": ""])]
            + pieces.map { piece([:], ["arguments": .string($0)]) }
    }

    private func chunk(_ delta: JSONObject, finishReason: JSONValue = nil) -> JSONObject {
        var choice: JSONObject = ["index": 0, "delta": .object(delta)]
        if dialect.isStrict || dialect == .vLLM { choice["logprobs"] = .null }
        choice["finish_reason"] = finishReason
        if dialect == .vLLM, !finishReason.isNull { choice["stop_reason"] = .null }
        return head("chat.completion.chunk", choices: [.object(choice)])
    }
}
