// SPDX-License-Identifier: MIT

extension ClientEvent {
    /// The event's type in the API.
    var type: String {
        switch detail {
        case .sessionUpdate: "session.update"
        case .inputAudioAppend: "input_audio_buffer.append"
        case .inputAudioCommit: "input_audio_buffer.commit"
        case .inputAudioClear: "input_audio_buffer.clear"
        case .outputAudioClear: "output_audio_buffer.clear"
        case .itemCreate: "conversation.item.create"
        case .itemRetrieve: "conversation.item.retrieve"
        case .itemTruncate: "conversation.item.truncate"
        case .itemDelete: "conversation.item.delete"
        case .responseCreate: "response.create"
        case .responseCancel: "response.cancel"
        }
    }

    /// The event in the form of the wire.
    var json: JSONValue {
        var object: JSONObject = ["type": .string(type)]
        object.set("event_id", id.map(JSONValue.string))
        switch detail {
        case .sessionUpdate(let session): object["session"] = session.json
        case .inputAudioAppend(let bytes): object["audio"] = .string(Base64.encode(bytes))
        case .inputAudioCommit, .inputAudioClear, .outputAudioClear: break
        case .itemCreate(let item, let place):
            switch place {
            case .end: break
            case .beginning: object["previous_item_id"] = "root"
            case .after(let id): object["previous_item_id"] = .string(id)
            }
            object["item"] = item.json(in: .realtime)
        case .itemRetrieve(let id), .itemDelete(let id): object["item_id"] = .string(id)
        case .itemTruncate(let id, let contentIndex, let audioEnd):
            object["item_id"] = .string(id)
            object["content_index"] = .integer(contentIndex)
            object["audio_end_ms"] = .integer(audioEnd)
        case .responseCreate(let request): object.set("response", request?.json)
        case .responseCancel(let id): object.set("response_id", id.map(JSONValue.string))
        }
        return .object(object)
    }

    /// The most bytes of sound in one `input_audio_buffer.append`.
    static let maximumAppendBytes = 15 << 20

    /// Refuses what no type of the API's forbids and the server would refuse.
    ///
    /// - Throws: `EchoError.invalidConfiguration(_:)`.
    func validate() throws(EchoError) {
        switch detail {
        case .inputAudioAppend(let bytes):
            guard !bytes.isEmpty, bytes.count <= Self.maximumAppendBytes else {
                throw .invalidConfiguration("\(bytes.count) bytes of sound are none, or more than 15 MB.")
            }
        case .itemTruncate(_, let contentIndex, let audioEnd):
            guard contentIndex >= 0, audioEnd > 0 else {
                throw .invalidConfiguration(
                    "An answer cannot be cut at \(audioEnd) ms. Delete what was not heard at all.")
            }
        case .responseCreate(let request?):
            if let tokens = request.maximumOutputTokens, !(1...4_096).contains(tokens) {
                throw .invalidConfiguration("An answer of \(tokens) tokens is not from 1 to 4096.")
            }
            guard request.metadata.count <= 16,
                request.metadata.allSatisfy({ $0.key.count <= 64 && $0.value.count <= 512 })
            else {
                throw .invalidConfiguration("Metadata are at most 16, with names of 64 and values of 512 characters.")
            }
        case .sessionUpdate, .inputAudioCommit, .inputAudioClear, .outputAudioClear, .itemCreate, .itemRetrieve,
            .itemDelete, .responseCreate(nil), .responseCancel:
            break
        }
    }
}
