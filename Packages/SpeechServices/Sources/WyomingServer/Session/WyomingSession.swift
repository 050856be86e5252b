// SPDX-License-Identifier: MIT

package import SpeechServices
import StructuredJSON

/// The rules of one connection: which events are answered, begun or refused. Pure; ``WyomingConversation`` acts.
package struct WyomingSession: Sendable {
    /// An effect of an event.
    package enum Action: Sendable, Hashable {
        /// Send an event.
        case send(WyomingFrame)
        /// Stop what the request before has begun.
        case cancelWork
        /// Begin an utterance for the recogniser with this index.
        case beginRecognition(Int)
        /// Begin to look for the wake words with these indices.
        case beginDetection([Int])
        /// Sound in a format follows; what was heard before is over.
        case beginSound(WyomingSoundFormat)
        /// The next sound of the utterance or the stream.
        case hear(WyomingSound)
        /// The utterance or the stream has ended.
        case finishSound
        /// Begin to speak with the voice with this index; `streams` is true if the text comes in pieces.
        case beginSpeech(Int, streams: Bool)
        /// The text, or the next piece of it.
        case speak(String)
        /// The text has ended.
        case finishSpeech
    }

    private enum Mode: Hashable {
        case idle
        case recognising
        case detecting
        case speaking(bytes: Int)
        /// The rest of a request that was refused is dropped without a word.
        case refused
    }

    private let engines: WyomingEngines
    private let configuration: WyomingServerConfiguration
    private var mode = Mode.idle
    private var format: WyomingSoundFormat?
    private var soundBytes = 0

    /// A new connection.
    package init(_ engines: WyomingEngines, _ configuration: WyomingServerConfiguration) {
        self.engines = engines
        self.configuration = configuration
    }

    /// True while a request waits for its rest.
    package var isBusy: Bool { mode != .idle && mode != .refused }

    /// Drops the rest of the request, which an engine has refused or failed at.
    package mutating func drop() {
        if isBusy { mode = .refused }
    }

    /// The effects of an event.
    package mutating func handle(_ frame: WyomingFrame) -> [Action] {
        do throws(WyomingRefusal) {
            return try effects(of: frame)
        } catch {
            guard error.code != .unknownType, error.code != .unknownProgram else { return [.send(error.frame)] }
            defer { mode = .refused }
            return (isBusy ? [.cancelWork] : []) + [.send(error.frame)]
        }
    }

    private mutating func effects(of frame: WyomingFrame) throws(WyomingRefusal) -> [Action] {
        switch frame.type {
        case "describe": return [.send(WyomingInfoFrame.make(engines, configuration.program))]
        case "ping":
            var data: JSONObject = [:]
            data["text"] = frame.data["text"]
            return [.send(WyomingFrame("pong", data: data))]
        case "select-program":
            guard try text(frame.data["name"], "name") == configuration.program.name else {
                throw WyomingRefusal(.unknownProgram, "The one program here is \(configuration.program.name).")
            }
            return []
        case "transcribe": return try begin(.recognising, .beginRecognition(recognizer(for: frame.data)))
        case "detect": return try begin(.detecting, .beginDetection(wakeWords(for: frame.data)))
        case "audio-start": return try beginSound(frame.data)
        case "audio-chunk": return try hear(frame)
        case "audio-stop": return try finishSound()
        case "synthesize":
            // A client that streams sends the whole text too, for servers that do not.
            if case .speaking = mode { return [] }
            let text = try speakable(frame.data["text"], after: 0)
            let index = try voice(for: frame.data)
            let actions = begin(.idle, .beginSpeech(index, streams: false))
            return actions + [.speak(text), .finishSpeech]
        case "synthesize-start":
            return try begin(.speaking(bytes: 0), .beginSpeech(voice(for: frame.data), streams: true))
        case "synthesize-chunk": return try speak(frame.data)
        case "synthesize-stop":
            guard case .speaking = mode else { return try withoutRequest("synthesize-start") }
            mode = .idle
            return [.finishSpeech]
        // Nothing is to be done about these.
        case "pong", "error", "info": return []
        default: throw WyomingRefusal(.unknownType, "The event is unknown here. describe lists what is offered.")
        }
    }

    private mutating func begin(_ next: Mode, _ action: Action) -> [Action] {
        let actions: [Action] = isBusy ? [.cancelWork, action] : [action]
        mode = next
        (format, soundBytes) = (nil, 0)
        return actions
    }

    private mutating func withoutRequest(_ request: String) throws(WyomingRefusal) -> [Action] {
        guard mode != .refused else { return [] }
        throw WyomingRefusal(.noRequest, "Send \(request) first.")
    }

    // MARK: Sound

    private mutating func beginSound(_ data: JSONObject) throws(WyomingRefusal) -> [Action] {
        guard mode == .recognising || mode == .detecting else { return try withoutRequest("transcribe or detect") }
        let format = try WyomingSoundFormat(data)
        (self.format, soundBytes) = (format, 0)
        return [.beginSound(format)]
    }

    private mutating func hear(_ frame: WyomingFrame) throws(WyomingRefusal) -> [Action] {
        guard mode == .recognising || mode == .detecting else { return try withoutRequest("transcribe or detect") }
        let format = try WyomingSoundFormat(frame.data)
        // A satellite sends its stream to a detector without a start.
        let actions: [Action] = self.format == nil ? [.beginSound(format)] : []
        guard format == self.format ?? format else {
            throw WyomingRefusal(.malformedSound, "The format changed within the sound. Send audio-start before.")
        }
        self.format = format
        guard !frame.payload.isEmpty, frame.payload.count % (format.width * format.channels) == 0 else {
            throw WyomingRefusal(.malformedSound, "The sound is not whole samples of every channel.")
        }
        soundBytes += frame.payload.count
        let limit = configuration.limits.utterance
        guard mode == .detecting || soundBytes <= Int(limit / .seconds(1)) * format.bytesPerSecond else {
            throw WyomingRefusal(.tooLong, "An utterance lasts \(limit) at most. Split it at its pauses.")
        }
        let sound = WyomingSound(format: format, bytes: frame.payload, timestamp: frame.data["timestamp"]?.integer)
        return actions + [.hear(sound)]
    }

    private mutating func finishSound() throws(WyomingRefusal) -> [Action] {
        switch mode {
        case .recognising:
            mode = .idle
            return [.finishSound]
        // A stream may follow on the same request.
        case .detecting:
            (format, soundBytes) = (nil, 0)
            return [.finishSound]
        case .refused:
            mode = .idle
            return []
        case .idle, .speaking: return try withoutRequest("transcribe or detect")
        }
    }

    // MARK: Text

    private mutating func speak(_ data: JSONObject) throws(WyomingRefusal) -> [Action] {
        guard case .speaking(let bytes) = mode else { return try withoutRequest("synthesize-start") }
        let text = try speakable(data["text"], after: bytes)
        mode = .speaking(bytes: bytes + text.utf8.count)
        return [.speak(text)]
    }

    private func speakable(_ value: JSONValue?, after bytes: Int) throws(WyomingRefusal) -> String {
        let text = try text(value, "text")
        guard bytes + text.utf8.count <= configuration.limits.textBytes else {
            throw WyomingRefusal(.tooLong, "A text has \(configuration.limits.textBytes) bytes at most. Split it.")
        }
        return text
    }

    private func text(_ value: JSONValue?, _ name: String) throws(WyomingRefusal) -> String {
        guard let text = value?.string else { throw WyomingRefusal(.invalidRequest, "The event needs a \(name).") }
        return text
    }

    // MARK: Engines

    private func recognizer(for data: JSONObject) throws(WyomingRefusal) -> Int {
        guard !engines.recognizers.isEmpty else { throw WyomingRefusal(.unknownModel, "Recognition is not offered.") }
        if let name = data["name"]?.string {
            guard let index = engines.recognizers.firstIndex(where: { $0.id == name }) else {
                throw WyomingRefusal(.unknownModel, "There is no such model. describe lists them.")
            }
            return index
        }
        guard let language = data["language"]?.string else { return 0 }
        guard let index = Self.index(of: language, in: engines.recognizers.map(\.languages)) else {
            throw WyomingRefusal(.unsupportedLanguage, "No recogniser here knows that language. describe lists them.")
        }
        return index
    }

    private func voice(for data: JSONObject) throws(WyomingRefusal) -> Int {
        guard !engines.voices.isEmpty else { throw WyomingRefusal(.unknownVoice, "Synthesis is not offered.") }
        if let format = data["text_format"]?.string, format != "text" {
            throw WyomingRefusal(.invalidRequest, "Texts are plain here. Leave text_format out.")
        }
        let wanted = data["voice"] ?? .null
        if let name = wanted["name"]?.string {
            guard let index = engines.voices.firstIndex(where: { $0.id == name }) else {
                throw WyomingRefusal(.unknownVoice, "There is no such voice. describe lists them.")
            }
            return index
        }
        guard let language = wanted["language"]?.string else { return 0 }
        guard let index = Self.index(of: language, in: engines.voices.map(\.languages)) else {
            throw WyomingRefusal(.unsupportedLanguage, "No voice here speaks that language. describe lists them.")
        }
        return index
    }

    private func wakeWords(for data: JSONObject) throws(WyomingRefusal) -> [Int] {
        guard !engines.wakeWords.isEmpty else {
            throw WyomingRefusal(.unknownWakeWord, "Wake words are not offered.")
        }
        let names = (data["names"]?.array ?? []).compactMap(\.string)
        guard !names.isEmpty else { return Array(engines.wakeWords.indices) }
        let indices = engines.wakeWords.indices.filter { names.contains(engines.wakeWords[$0].id) }
        guard !indices.isEmpty else {
            throw WyomingRefusal(.unknownWakeWord, "There is no such wake word. describe lists them.")
        }
        return indices
    }

    /// The first list with the language, else with another region of it: "en-GB" for "en", "de" for "de-DE".
    private static func index(of language: String, in lists: [[String]]) -> Int? {
        func tag(_ text: String) -> String { text.lowercased().replacing("_", with: "-") }
        func main(_ text: String) -> Substring { tag(text).prefix { $0 != "-" } }
        return lists.firstIndex { $0.contains { tag($0) == tag(language) } }
            ?? lists.firstIndex { $0.contains { main($0) == main(language) } }
    }
}
