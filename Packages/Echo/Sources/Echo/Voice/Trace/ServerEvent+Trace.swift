// SPDX-License-Identifier: MIT

extension ServerEvent {
    /// The event as the server would send it: reading it gives the same event.
    var json: JSONValue {
        var object: JSONObject = ["type": .string(type)]
        object.set("event_id", id.map(JSONValue.string))
        switch detail {
        case .unknown(_, let json): return json
        case .conversationCreated(let id):
            object["conversation"] = .object(id.map { ["id": .string($0)] } ?? [:])
        case .itemAdded(let item, let place), .itemCreated(let item, let place), .itemDone(let item, let place):
            object.set(place)
            object["item"] = item.json
        case .itemRetrieved(let item): object["item"] = item.json
        case .itemDeleted(let id), .mcpListToolsCompleted(let id), .mcpListToolsFailed(let id),
            .mcpListToolsInProgress(let id):
            object["item_id"] = .string(id)
        case .transcriptCompleted, .transcriptDelta, .transcriptFailed, .transcriptSegment:
            object.add(transcriptMembers)
        case .itemTruncated(let id, let contentIndex, let end):
            object.add(["item_id": .string(id), "content_index": .integer(contentIndex), "audio_end_ms": .integer(end)])
        case .error(let failure, let id):
            var error = failure.traceObject
            error.set("event_id", id.map(JSONValue.string))
            object["error"] = .object(error)
        case .inputAudioCleared: break
        case .inputAudioCommitted(let id, let place):
            object["item_id"] = .string(id)
            object.set(place)
        case .keyPressed(let key, let time): object.add(["event": .string(key), "received_at": .integer(time)])
        case .speechStarted(let id, let start):
            object.add(["item_id": .string(id), "audio_start_ms": .integer(start)])
        case .speechStopped(let id, let end): object.add(["item_id": .string(id), "audio_end_ms": .integer(end)])
        case .idleTimeout(let id, let start, let end):
            object.add(["item_id": .string(id), "audio_start_ms": .integer(start), "audio_end_ms": .integer(end)])
        case .outputAudioCleared(let id), .outputAudioStarted(let id), .outputAudioStopped(let id):
            object["response_id"] = .string(id)
        case .rateLimits(let limits): object["rate_limits"] = .array(limits.map(\.traceJSON))
        case .responseCreated(let response), .responseDone(let response): object["response"] = response.traceJSON
        case .sessionCreated(let session), .sessionUpdated(let session): object["session"] = session.json
        default: object.add(answerMembers)
        }
        return .object(object)
    }

    private var transcriptMembers: JSONObject {
        switch detail {
        case .transcriptCompleted(let transcript):
            var object: JSONObject = [
                "item_id": .string(transcript.itemID), "content_index": .integer(transcript.contentIndex),
                "transcript": .string(transcript.text),
            ]
            object.set("usage", transcript.usage?.traceJSON)
            if !transcript.languages.isEmpty {
                object["languages"] = .array(transcript.languages.map { ["code": .string($0)] })
            }
            return object
        case .transcriptDelta(let id, let contentIndex, let delta, _):
            return ["item_id": .string(id), "content_index": .integer(contentIndex), "delta": .string(delta)]
        case .transcriptFailed(let id, let contentIndex, let failure):
            return [
                "item_id": .string(id), "content_index": .integer(contentIndex), "error": .object(failure.traceObject),
            ]
        case .transcriptSegment(let segment):
            return [
                "id": .string(segment.id), "item_id": .string(segment.itemID),
                "content_index": .integer(segment.contentIndex), "text": .string(segment.text),
                "speaker": .string(segment.speaker), "start": .double(segment.start), "end": .double(segment.end),
            ]
        default: return [:]
        }
    }

    private var answerMembers: JSONObject {
        func at(_ place: AnswerPlace, _ more: JSONObject = [:]) -> JSONObject {
            var object = more
            object.add([
                "response_id": .string(place.responseID), "item_id": .string(place.itemID),
                "output_index": .integer(place.outputIndex), "content_index": .integer(place.contentIndex),
            ])
            return object
        }
        switch detail {
        case .partAdded(let place, let part), .partDone(let place, let part): return at(place, ["part": part.json])
        case .functionArgumentsDelta(let place, let callID, let delta):
            return at(place, ["call_id": .string(callID), "delta": .string(delta)])
        case .functionArgumentsDone(let place, let call):
            return at(
                place, ["call_id": .string(call.id), "name": .string(call.name), "arguments": .string(call.arguments)])
        case .mcpCallCompleted(let place), .mcpCallFailed(let place), .mcpCallInProgress(let place),
            .audioDone(let place):
            return at(place)
        case .mcpArgumentsDelta(let place, let delta), .audioTranscriptDelta(let place, let delta),
            .textDelta(let place, let delta):
            return at(place, ["delta": .string(delta)])
        case .mcpArgumentsDone(let place, let arguments): return at(place, ["arguments": .string(arguments)])
        case .audioDelta(let place, let bytes): return at(place, ["delta": .string(Base64.encode(bytes))])
        case .audioTranscriptDone(let place, let transcript): return at(place, ["transcript": .string(transcript)])
        case .textDone(let place, let text): return at(place, ["text": .string(text)])
        case .outputItemAdded(let item, let responseID, let index),
            .outputItemDone(let item, let responseID, let index):
            return ["response_id": .string(responseID), "output_index": .integer(index), "item": item.json]
        default: return [:]
        }
    }
}

extension JSONObject {
    /// Sets an item's position as the server writes it.
    fileprivate mutating func set(_ place: MessagePlace) {
        switch place {
        case .end: break
        case .beginning: self["previous_item_id"] = .null
        case .after(let id): self["previous_item_id"] = .string(id)
        }
    }
}
