// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency
import Networking
public import SpeechEngines
package import StructuredJSON

/// Recognises by a Wyoming server, such as faster-whisper's. Sound is sent while somebody speaks; servers that stream
/// send words meanwhile.
public struct WyomingRecognizer: SpeechRecognizer {
    /// 16 kHz mono.
    public let format = AudioFormat.speech
    private let service: WyomingService
    private let model: String?
    private let language: String?

    /// A recogniser; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - model: The model's name in the server's `info`; nil takes its default.
    ///   - language: The language as the server names it, such as "en"; nil lets it decide.
    public init(_ service: WyomingService, model: String? = nil, language: String? = nil) {
        self.service = service
        self.model = model
        self.language = language
    }

    /// See `SpeechRecognizer`: one connection for each utterance.
    ///
    /// - Throws: ``SpeechServiceError``.
    public func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        .filled { [self] continuation in
            try await service.withConnection(receiving: service.limits.maximumStreamBytes) { connection in
                let sent = Promise<Void>()
                try await withThrowingTaskGroup(of: Part.self) { group in
                    group.addTask {
                        defer { sent.resolve() }
                        do {
                            return try await send(sound, over: connection) ? .sent : .heard(Transcription(""))
                        } catch is NetworkError {
                            // The server may have said why before it hung up: the reader finds that, or the end.
                            return .sent
                        }
                    }
                    group.addTask { .heard(try await receive(from: connection, after: sent, continuation)) }
                    defer { group.cancelAll() }
                    while let part = try await group.next() {
                        guard case .heard(let words) = part else { continue }
                        continuation.yield(.final(words))
                        return
                    }
                }
            }
        }
    }

    private enum Part {
        case sent
        case heard(Transcription)
    }

    /// - Returns: False if there was no sound; the server is then not asked for words.
    private func send(_ sound: AsyncStream<AudioBuffer>, over connection: WyomingConnection) async throws -> Bool {
        var request: JSONObject = [:]
        if let model { request["name"] = .string(model) }
        if let language { request["language"] = .string(language) }
        try await connection.send(
            WyomingFrame("transcribe", data: request), WyomingFrame("audio-start", data: format.wyoming))
        let waiting = WaitingSound(format: format)
        let isEmpty = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { waiting.end() }
                try await gather(sound, in: waiting)
                return true
            }
            group.addTask {
                var isEmpty = true
                for await _ in waiting.more {
                    for piece in waiting.take(pieces: Self.longestChunk) {
                        isEmpty = false
                        try await connection.send(
                            WyomingFrame("audio-chunk", data: format.wyoming, payload: piece.littleEndianBytes))
                    }
                }
                return isEmpty
            }
            defer { group.cancelAll() }
            return try await group.reduce(true) { $0 && $1 }
        }
        try Task.checkCancellation()
        guard !isEmpty else { return false }
        try await connection.send(WyomingFrame("audio-stop"))
        return true
    }

    private func gather(_ sound: AsyncStream<AudioBuffer>, in waiting: WaitingSound) async throws {
        let recorder = UtteranceRecorder(
            service: service.name, format: format, limit: service.limits.maximumUploadBytes)
        var count = 0
        for await buffer in sound {
            try recorder.check(buffer)
            count += 2 * buffer.samples.count
            guard count <= recorder.limit else {
                throw SpeechServiceError(
                    .tooLarge, "The utterance is over the limit of \(recorder.limit) bytes. Split it at its pauses.")
            }
            waiting.add(buffer)
        }
    }

    /// In samples: a quarter of the largest frame, 8 s.
    private static let longestChunk = WyomingFrameParser.maximumPayload / 8

    private func receive(
        from connection: WyomingConnection, after sent: Promise<Void>,
        _ continuation: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation
    ) async throws -> Transcription {
        var line = TextLine()
        while true {
            let frame = try await connection.receive(
                within: line.text.isEmpty ? service.limits.answer : service.limits.stall,
                from: { try await sent.value() },
                { ["transcript-chunk", "transcript", "transcript-stop"].contains($0.type) })
            switch frame.type {
            case "transcript-chunk":
                line.append(frame.data["text"]?.string ?? "")
                if !line.text.isEmpty { continuation.yield(.partial(line.text)) }
            case "transcript":
                guard let whole = frame.data["text"]?.string else {
                    throw SpeechServiceError.invalidResponse(service.name, "a transcript without text")
                }
                return transcription(whole, frame)
            default: return transcription(line.text, frame)
            }
        }
    }

    private func transcription(_ text: String, _ frame: WyomingFrame) -> Transcription {
        let words = TranscriptionAnswer.trimmed(text)
        guard !NoSpeechRule.discards(.init(text: words)) else { return Transcription("") }
        return Transcription(words, language: frame.data["language"]?.string)
    }
}

extension AudioFormat {
    /// The values of a Wyoming sound event; the width is in bytes.
    package var wyoming: JSONObject {
        ["rate": .integer(sampleRate), "width": 2, "channels": .integer(channels)]
    }
}
