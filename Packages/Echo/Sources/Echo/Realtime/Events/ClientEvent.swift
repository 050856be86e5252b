// SPDX-License-Identifier: MIT

/// Something that is sent to a voice session: the 11 kinds that the realtime API has.
public struct ClientEvent: Sendable, Hashable {
    /// The kind of event with its values.
    public indirect enum Detail: Sendable, Hashable {
        /// `session.update`: How the session is to be.
        case sessionUpdate(RealtimeSessionConfiguration)
        /// `input_audio_buffer.append`: More of the user's sound, in the session's format; at most 15 MB.
        case inputAudioAppend([UInt8])
        /// `input_audio_buffer.commit`: What was appended becomes an item.
        case inputAudioCommit
        /// `input_audio_buffer.clear`: What was appended is dropped.
        case inputAudioClear
        /// `output_audio_buffer.clear`: The server stops sending sound. For WebRTC and SIP only.
        case outputAudioClear
        /// `conversation.item.create`: An item, after that one; `.end` leaves the place to the server, which appends.
        case itemCreate(RealtimeItem, at: MessagePlace)
        /// `conversation.item.retrieve`: The server sends the item, with its sound.
        case itemRetrieve(id: String)
        /// `conversation.item.truncate`: The sound of that part was heard only up to there, in milliseconds.
        case itemTruncate(id: String, contentIndex: Int, audioEnd: Int)
        /// `conversation.item.delete`: The item goes.
        case itemDelete(id: String)
        /// `response.create`: The model answers; `nil` as the session says.
        case responseCreate(RealtimeResponseRequest?)
        /// `response.cancel`: The answer is stopped; `nil` for the one of the conversation.
        case responseCancel(responseID: String?)
    }

    /// The name by which an `error` of the server refers to this.
    public var id: String?
    /// The kind of event with its values.
    public var detail: Detail

    /// An event.
    public init(_ detail: Detail, id: String? = nil) {
        self.detail = detail
        self.id = id
    }
}
