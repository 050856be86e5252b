// SPDX-License-Identifier: MIT

/// An event for a voice session: the 11 kinds of the realtime API.
struct ClientEvent: Sendable, Hashable {
    /// The kind of event with its values.
    indirect enum Detail: Sendable, Hashable {
        /// `session.update`: The session gets this configuration.
        case sessionUpdate(RealtimeSessionConfiguration)
        /// `input_audio_buffer.append`: More of the user's sound, in the session's format; at most 15 MB.
        case inputAudioAppend([UInt8])
        /// `input_audio_buffer.commit`: The appended sound becomes an item.
        case inputAudioCommit
        /// `input_audio_buffer.clear`: The appended sound is dropped.
        case inputAudioClear
        /// `output_audio_buffer.clear`: The server stops sending sound. For WebRTC and SIP only.
        case outputAudioClear
        /// `conversation.item.create`: An item at that position; `.end` leaves the position to the server, which
        /// appends.
        case itemCreate(ResponseItem, at: MessagePlace)
        /// `conversation.item.retrieve`: The server sends the item, with its sound.
        case itemRetrieve(id: String)
        /// `conversation.item.truncate`: The sound of that part was heard only up to this time, in milliseconds.
        case itemTruncate(id: String, contentIndex: Int, audioEnd: Int)
        /// `conversation.item.delete`: The item is deleted.
        case itemDelete(id: String)
        /// `response.create`: The model answers; `nil` uses the session's settings.
        case responseCreate(RealtimeResponseRequest?)
        /// `response.cancel`: The answer is stopped; `nil` for the answer within the conversation.
        case responseCancel(responseID: String?)
    }

    /// The id by which an `error` of the server refers to this event.
    var id: String?
    /// The kind of event with its values.
    var detail: Detail

    /// An event.
    init(_ detail: Detail, id: String? = nil) {
        self.detail = detail
        self.id = id
    }
}
