// SPDX-License-Identifier: MIT

import Diagnostics
import Networking
import StructuredJSON

@testable import Echo
@testable import EchoText

/// A voice service with just enough sense to hold a conversation, whose answers and pace a test decides.
actor FakeVoiceService {
    /// How an answer goes.
    enum Answer: Sendable {
        /// Words, and so many milliseconds of sound.
        case speech(String, milliseconds: Int)
        /// As speech, and then nothing until the test goes on with ``FakeVoiceService/finish(_:)``.
        case unfinished(String, milliseconds: Int)
        case calls([ToolCall])
        /// No word about it.
        case silence
        case failure(code: String)
    }

    private var answers: [Answer]
    private var peers: [ScriptedRealtimeServer.Peer] = []
    private var last: [String: String] = [:]
    private var active: (id: String, item: String, text: String)?
    private var number = 0
    /// What every session was sent, besides sound.
    let received = Collected<JSONValue>()
    let connected = Collected<ScriptedRealtimeServer.Peer>()
    /// The bytes of sound that were appended.
    let sound = EventCount()
    /// Whether sessions are confirmed.
    private var isConfirming = true
    /// How many sessions have not ended.
    private(set) var openCount = 0
    /// Whether turns that the client commits are named at once.
    private var isNaming = true
    private var unnamed = 0
    /// Connections whose sessions were not.
    private(set) var unconfirmed: [WebSocketConnection] = []
    /// Whether speech is transcribed when it is committed.
    private var transcripts: [String?] = []

    init(_ answers: [Answer] = []) { self.answers = answers }

    func add(_ answer: Answer) { answers.append(answer) }

    /// What was said, turn by turn; `nil` for a transcript that does not come by itself.
    func expect(transcripts: [String?]) { self.transcripts += transcripts }

    func setConfirming(_ isConfirming: Bool) { self.isConfirming = isConfirming }

    func setNaming(_ isNaming: Bool) { self.isNaming = isNaming }

    var peer: ScriptedRealtimeServer.Peer? { peers.last }

    /// The types of what was sent, besides sound.
    func sentTypes() -> [String] { received.values.compactMap { $0["type"]?.string } }

    /// What was sent of that type.
    func sent(_ type: String) -> [JSONValue] { received.values.filter { $0["type"]?.string == type } }

    /// Waits until so many of that type were sent.
    func first(_ count: Int, _ type: String) async throws -> [JSONValue] {
        var number = 1
        while sent(type).count < count {
            _ = try await received.first(number)
            number = received.values.count + 1
        }
        return Array(sent(type).prefix(count))
    }

    // MARK: The script

    nonisolated var script: ScriptedRealtimeServer.Script { { peer in await self.serve(peer) } }

    private func serve(_ peer: ScriptedRealtimeServer.Peer) async {
        guard isConfirming else {
            unconfirmed.append(peer.connection)
            return await peer.listen()
        }
        peers.append(peer)
        active = nil
        await peer.confirm()
        connected.append(peer)
        openCount += 1
        while let event = await peer.next() { await take(event, peer) }
        openCount -= 1
    }

    private func take(_ event: JSONValue, _ peer: ScriptedRealtimeServer.Peer) async {
        let type = event["type"]?.string ?? ""
        if type == "input_audio_buffer.append" {
            sound.add()
            return
        }
        received.append(event)
        switch type {
        case "conversation.item.create":
            let item = event["item"] ?? .null
            let id = item["id"]?.string ?? nextID("item")
            await add(item: item, id: id, peer)
        case "input_audio_buffer.commit": await commit(peer)
        case "response.create": await answer(event, peer)
        case "response.cancel":
            guard let active else { break }
            self.active = nil
            await done(active.id, active.item, "", status: "cancelled", peer)
        case "conversation.item.truncate":
            await peer.send([
                "type": "conversation.item.truncated", "item_id": event["item_id"] ?? .null,
                "content_index": 0, "audio_end_ms": event["audio_end_ms"] ?? .null,
            ])
        case "conversation.item.delete":
            await peer.send(["type": "conversation.item.deleted", "item_id": event["item_id"] ?? .null])
        case "session.update":
            await peer.send(["type": "session.updated", "session": event["session"] ?? .null])
        default: break
        }
    }

    private func nextID(_ kind: String) -> String {
        number += 1
        return "\(kind)_\(number)"
    }

    private func add(item: JSONValue, id: String, _ peer: ScriptedRealtimeServer.Peer) async {
        var object = item.object ?? [:]
        object["id"] = .string(id)
        let previous: JSONValue = last[key(peer)].map { .string($0) } ?? .null
        last[key(peer)] = id
        for type in ["conversation.item.added", "conversation.item.done"] {
            await peer.send(["type": .string(type), "previous_item_id": previous, "item": .object(object)])
        }
    }

    private func key(_ peer: ScriptedRealtimeServer.Peer) -> String {
        "\(ObjectIdentifier(peer.connection).hashValue)"
    }

    // MARK: What the user says

    /// The detector hears the user begin.
    func hearSpeech(_ id: String) async {
        await peer?.send(["type": "input_audio_buffer.speech_started", "item_id": .string(id), "audio_start_ms": 0])
    }

    /// The detector hears the user end; the turn becomes an item, and its transcript comes if there is one.
    func endSpeech(_ id: String, transcript: String? = nil, after milliseconds: Int = 200) async {
        guard let peer else { return }
        await stopSpeech(id, after: milliseconds)
        await committed(id, peer)
        if let transcript { await transcribe(id, transcript) }
    }

    /// The detector hears the user end, and no more.
    func stopSpeech(_ id: String, after milliseconds: Int = 200) async {
        await peer?.send([
            "type": "input_audio_buffer.speech_stopped", "item_id": .string(id), "audio_end_ms": .integer(milliseconds),
        ])
    }

    /// What was said becomes an item.
    func commitSpeech(_ id: String) async { if let peer { await committed(id, peer) } }

    /// The transcript of a turn comes, in the last session or another.
    func transcribe(_ id: String, _ text: String, in session: ScriptedRealtimeServer.Peer? = nil) async {
        await (session ?? peer)?.send([
            "type": "conversation.item.input_audio_transcription.completed", "item_id": .string(id),
            "content_index": 0, "transcript": .string(text), "usage": ["type": "duration", "seconds": 2],
        ])
    }

    /// Names the turns that were committed and not named.
    ///
    /// - Returns: The names.
    @discardableResult
    func nameTurns() async -> [String] {
        var names: [String] = []
        while unnamed > 0, let peer {
            unnamed -= 1
            let id = nextID("turn")
            names.append(id)
            await committed(id, peer)
        }
        return names
    }

    private func commit(_ peer: ScriptedRealtimeServer.Peer) async {
        guard isNaming else {
            unnamed += 1
            return
        }
        let id = nextID("turn")
        await committed(id, peer)
        if !transcripts.isEmpty, let text = transcripts.removeFirst() { await transcribe(id, text) }
    }

    private func committed(_ id: String, _ peer: ScriptedRealtimeServer.Peer) async {
        let previous: JSONValue = last[key(peer)].map { .string($0) } ?? .null
        await peer.send([
            "type": "input_audio_buffer.committed", "item_id": .string(id), "previous_item_id": previous,
        ])
        await add(
            item: [
                "type": "message", "role": "user", "status": "completed",
                "content": [["type": "input_audio", "transcript": .null]],
            ], id: id, peer)
    }

    // MARK: What the model says

    private func answer(_ event: JSONValue, _ peer: ScriptedRealtimeServer.Peer) async {
        let answer = answers.isEmpty ? Answer.silence : answers.removeFirst()
        let id = nextID("resp")
        let item = nextID("answer")
        let response: JSONObject = [
            "id": .string(id), "status": "in_progress", "output": [],
            "metadata": event["response"]?["metadata"] ?? .null,
        ]
        if case .silence = answer { return }
        await peer.send(["type": "response.created", "response": .object(response)])
        switch answer {
        case .speech(let text, let milliseconds):
            await speak(id, item, text, milliseconds, peer)
            await done(id, item, text, status: "completed", peer)
        case .unfinished(let text, let milliseconds):
            active = (id, item, text)
            await speak(id, item, text, milliseconds, peer)
        case .calls(let calls):
            var output: [JSONValue] = []
            for call in calls {
                let item: JSONValue = [
                    "type": "function_call", "id": .string(nextID("call")), "call_id": .string(call.id),
                    "name": .string(call.name), "arguments": .string(call.arguments), "status": "completed",
                ]
                await add(item: item, id: item["id"]?.string ?? "", peer)
                output.append(item)
            }
            await finish(id, output, "completed", peer)
        case .failure(let code):
            await peer.send([
                "type": "response.done",
                "response": [
                    "id": .string(id), "status": "failed", "output": [],
                    "status_details": ["type": "failed", "error": ["code": .string(code), "message": "It failed."]],
                ],
            ])
        case .silence: break
        }
    }

    /// The answer that hangs ends.
    func finish() async {
        guard let active, let peer else { return }
        self.active = nil
        await done(active.id, active.item, active.text, status: "completed", peer)
    }

    private func speak(
        _ response: String, _ item: String, _ text: String, _ milliseconds: Int, _ peer: ScriptedRealtimeServer.Peer
    ) async {
        let begun: JSONValue = [
            "type": "message", "id": .string(item), "role": "assistant", "status": "in_progress", "content": [],
        ]
        await peer.send([
            "type": "response.output_item.added", "response_id": .string(response), "output_index": 0, "item": begun,
        ])
        let previous: JSONValue = last[key(peer)].map { .string($0) } ?? .null
        last[key(peer)] = item
        await peer.send(["type": "conversation.item.added", "previous_item_id": previous, "item": begun])
        let place: JSONObject = [
            "response_id": .string(response), "item_id": .string(item), "output_index": 0, "content_index": 0,
        ]
        func send(_ type: String, _ name: String, _ value: JSONValue) async {
            var object = place
            object["type"] = .string(type)
            object[name] = value
            await peer.send(.object(object))
        }
        await send("response.output_audio_transcript.delta", "delta", .string(text))
        for start in stride(from: 0, to: milliseconds, by: 100) {
            let count = min(100, milliseconds - start) * 48
            await send(
                "response.output_audio.delta", "delta", .string(Base64.encode([UInt8](repeating: 7, count: count))))
        }
        await send("response.output_audio_transcript.done", "transcript", .string(text))
        await send("response.output_audio.done", "ok", true)
    }

    private func done(
        _ response: String, _ item: String, _ text: String, status: String, _ peer: ScriptedRealtimeServer.Peer
    ) async {
        let whole: JSONValue = [
            "type": "message", "id": .string(item), "role": "assistant",
            "status": .string(status == "completed" ? "completed" : "incomplete"),
            "content": [["type": "output_audio", "transcript": .string(text)]],
        ]
        await peer.send([
            "type": "response.output_item.done", "response_id": .string(response), "output_index": 0, "item": whole,
        ])
        await peer.send(["type": "conversation.item.done", "previous_item_id": .null, "item": whole])
        await finish(response, [whole], status, peer)
    }

    private func finish(
        _ response: String, _ output: [JSONValue], _ status: String, _ peer: ScriptedRealtimeServer.Peer
    ) async {
        await peer.send([
            "type": "response.done",
            "response": [
                "id": .string(response), "status": .string(status), "output": .array(output),
                "usage": [
                    "input_tokens": 100, "output_tokens": 100, "total_tokens": 200,
                    "input_token_details": ["text_tokens": 50, "audio_tokens": 50],
                    "output_token_details": ["text_tokens": 20, "audio_tokens": 80],
                ],
            ],
        ])
    }
}
