// SPDX-License-Identifier: MIT

public import AudioBuffers
public import SpeechEngines
import StructuredJSON

/// Speaks by a Wyoming server, such as piper's.
public struct WyomingSynthesizer: SpeechSynthesizer {
    /// The voice and its options.
    public struct Configuration: Sendable, Hashable {
        /// The voice's name in the server's `info`; nil takes its default.
        public var voice: String?
        /// The speaker of a voice with several; nil takes the first.
        public var speaker: String?
        /// The format of the voice: 22,050 Hz at most of piper's. `SpeechServiceProbe.format(of:)` asks.
        public var format = AudioFormat(sampleRate: 22_050)
        /// True to send the text sentence by sentence (`synthesize-start`, `-chunk`, `-stop`), for a server whose `info`
        /// has `supports_synthesize_streaming`; a server without it would never answer.
        public var streams = false

        /// The server's default voice.
        public init() {}
    }

    private let service: WyomingService
    private let configuration: Configuration

    /// A synthesiser; nothing is connected yet.
    public init(_ service: WyomingService, configuration: Configuration = Configuration()) {
        self.service = service
        self.configuration = configuration
    }

    /// The declared format.
    public var format: AudioFormat { configuration.format }

    /// See `SpeechSynthesizer`: one connection for each text; buffers as the server's pieces arrive.
    ///
    /// - Throws: ``SpeechServiceError``.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        .filled { [self] continuation in
            guard text.hasWords else { return }
            try await service.withConnection { connection in
                try await connection.send(request(text))
                try await receive(from: connection, parts: text.count, continuation)
            }
        }
    }

    /// The frames that ask for a text.
    private func request(_ text: String) -> [WyomingFrame] {
        var data: JSONObject = [:]
        if let voice = configuration.voice {
            var object: JSONObject = ["name": .string(voice)]
            if let speaker = configuration.speaker { object["speaker"] = .string(speaker) }
            data["voice"] = .object(object)
        }
        guard configuration.streams else {
            var whole: JSONObject = ["text": .string(text)]
            whole["voice"] = data["voice"]
            return [WyomingFrame("synthesize", data: whole)]
        }
        // A chunk carries the space behind it, since the server joins them.
        let chunks = SentenceSplitter.sentences(of: text)
            .map { WyomingFrame("synthesize-chunk", data: ["text": .string($0 + " ")]) }
        return [WyomingFrame("synthesize-start", data: data)] + chunks + [WyomingFrame("synthesize-stop")]
    }

    /// - Parameter parts: The most sounds in one answer: a server makes no more of a text than it has characters.
    private func receive(
        from connection: WyomingConnection, parts: Int,
        _ continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) async throws {
        var pcm = PCMReader(format: format)
        var (count, ends) = (0, 0)
        while true {
            let limit = count == 0 ? service.limits.answer : service.limits.stall
            let frame = try await connection.receive(within: limit) { frame in
                switch frame.type {
                case "audio-start":
                    try check(frame.data)
                    return false
                case "audio-chunk": return !frame.payload.isEmpty
                default: return ["audio-stop", "synthesize-stopped"].contains(frame.type)
                }
            }
            switch frame.type {
            case "audio-chunk":
                try check(frame.data)
                count += frame.payload.count
                guard count <= service.limits.maximumSoundBytes else {
                    throw SpeechServiceError.tooLarge(service.name, limit: service.limits.maximumSoundBytes)
                }
                if let buffer = pcm.read(frame.payload) { continuation.yield(buffer) }
            case "audio-stop":
                guard !pcm.isWithinFrame else { throw SpeechServiceError.cut(service.name) }
                // A server that streams sends one for each sentence.
                ends += 1
                guard configuration.streams else { return }
                guard ends <= parts else {
                    throw SpeechServiceError.invalidResponse(service.name, "more sounds than the text has characters")
                }
            default: return
            }
        }
    }

    private func check(_ data: JSONObject) throws(SpeechServiceError) {
        guard let rate = data["rate"]?.integer, let width = data["width"]?.integer,
            let channels = data["channels"]?.integer, (1...384_000).contains(rate), (1...8).contains(channels)
        else { throw SpeechServiceError.invalidResponse(service.name, "sound without a rate, width and channels") }
        guard width == 2 else {
            throw SpeechServiceError(
                .wrongFormat, "\(service.name) speaks in samples of \(8 * width) bits. Choose a voice of 16 bits.")
        }
        let actual = AudioFormat(sampleRate: rate, channels: channels)
        guard actual == format else {
            throw SpeechServiceError.wrongFormat(service.name, declared: format, actual: actual)
        }
    }
}
