// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// `POST /v1/audio/transcriptions`.
struct TranscriptionsEndpoint: Sendable {
    let core: SimulatorCore

    private static let extensions: Set<String> = [
        "flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm",
    ]
    private static let fields: Set<String> = [
        "file", "model", "language", "prompt", "response_format", "temperature", "timestamp_granularities[]",
        "include[]", "stream", "chunking_strategy",
    ]

    func register(in router: inout Router, with gate: Gate) {
        router.post("/v1/audio/transcriptions", bodyLimit: 26 << 20) { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let bytes = try await gate.bytes(request)
                guard let form = MultipartForm(bytes, contentType: request.headers["Content-Type"] ?? "") else {
                    throw APIError(status: 400, message: "Could not parse multipart form.")
                }
                let texts = form.parts.filter { $0.filename == nil }.map { ($0.name, [$0.text]) }
                exchange.note(form: Dictionary(texts, uniquingKeysWith: +), size: bytes.count)
                return try transcribe(form, exchange)
            }
        }
    }

    private func transcribe(_ form: MultipartForm, _ exchange: Exchange) throws(APIError) -> Gate.Answer {
        let (file, model) = try check(form)
        let turn = try core.turn(path: exchange.path, said: nil, body: nil)
        let duration = SoundLength.seconds(of: file.bytes)
        let transcript = Transcript(text: text(turn, duration), duration: duration, model: model)
        let format = form["response_format"]?.text ?? "json"
        let wantsWords = form.parts.contains { $0.name == "timestamp_granularities[]" && $0.text == "word" }
        let isStreamed = form["stream"]?.text == "true" && model != "whisper-1"
        return Gate.Answer(turn: turn) { delivery, headers in
            if case .json(let json, let status) = turn.reply {
                return try await delivery.whole(json.bytes, status: status, headers: headers)
            }
            if isStreamed {
                return try await delivery.stream(
                    transcript.events(size: turn.pace.chunk).map(Frame.init(event:)), headers: headers)
            }
            switch format {
            case "text", "srt", "vtt":
                return try await delivery.whole(
                    Array(transcript.plain(format).utf8), contentType: "text/plain; charset=utf-8", headers: headers)
            case "verbose_json":
                return try await delivery.whole(transcript.verbose(wantsWords: wantsWords).bytes, headers: headers)
            default: return try await delivery.whole(transcript.json.bytes, headers: headers)
            }
        }
    }

    private func check(_ form: MultipartForm) throws(APIError) -> (MultipartForm.Part, model: String) {
        if core.scenario.dialect.isStrict, let part = form.parts.first(where: { !Self.fields.contains($0.name) }) {
            throw .invalidValue(part.name, "Unknown parameter: '\(part.name)'.", code: "unknown_parameter")
        }
        guard let model = form["model"]?.text, !model.isEmpty else {
            throw APIError(status: 400, message: "you must provide a model parameter")
        }
        guard SimulatorModels.transcriptions.contains(model) || core.scenario.models.contains(model) else {
            throw .unknownModel(model)
        }
        guard let file = form["file"], let name = file.filename else {
            throw APIError(status: 400, message: "'file' is a required property", param: "file")
        }
        guard let dot = name.lastIndex(of: "."), Self.extensions.contains(name[name.index(after: dot)...].lowercased())
        else {
            throw APIError(
                status: 400,
                message:
                    "Invalid file format. Supported formats: \(Self.extensions.sorted().map { "'\($0)'" }.joined(separator: ", "))",
                param: "file")
        }
        guard !file.bytes.isEmpty else {
            throw APIError(status: 400, message: "The audio file is empty.", param: "file")
        }
        return (file, model)
    }

    /// The transcript: the scenario's, or words that say how long the sound is.
    private func text(_ turn: Scenario.Turn, _ duration: Double) -> String {
        if case .transcript(let text) = turn.reply { return text }
        if case .answer(let answer) = turn.reply, case .message(let text)? = answer.items.first { return text }
        return "This is a recording of \(Int(duration.rounded())) seconds."
    }
}

/// The length of a sound: exact for WAVE, else at 32 kbit/s.
enum SoundLength {
    static func seconds(of bytes: [UInt8]) -> Double {
        guard bytes.count >= 44, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WAVE".utf8) else {
            return Double(bytes.count) / 4000
        }
        var (place, rate) = (12, 0)
        while place + 8 <= bytes.count {
            let size = word(bytes, place + 4)
            if bytes[place..<place + 4].elementsEqual("fmt ".utf8), place + 20 <= bytes.count {
                rate = word(bytes, place + 16)
            }
            if bytes[place..<place + 4].elementsEqual("data".utf8) {
                // A stream has no length in its header.
                let length = min(size, bytes.count - place - 8)
                return rate > 0 ? Double(length) / Double(rate) : 0
            }
            place += 8 + size + size % 2
        }
        return 0
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
