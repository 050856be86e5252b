// SPDX-License-Identifier: MIT

/// A session as the server describes it.
struct RealtimeSession: Sendable, Hashable {
    /// The session's id, if the server sends it.
    var id: String?
    /// `realtime`, or `transcription` for a session without answers.
    var type: String
    /// The model that answers.
    var model: String?
    /// The time of its end, in seconds since 1970, if the server says it.
    var expiresAt: Double?
    /// The forms of the answers: `audio` or `text`.
    var modalities: [String]
    /// The rules that the model follows.
    var instructions: String?
    /// The JSON from the server.
    var json: JSONValue

    init(_ session: WireObject) {
        id = session.optionalString("id")
        type = session.optionalString("type") ?? "realtime"
        model = session.optionalString("model")
        expiresAt = session["expires_at"]?.double
        modalities = session.array("output_modalities").compactMap(\.string)
        instructions = session.optionalString("instructions")
        json = .object(session.object)
    }
}
