// SPDX-License-Identifier: MIT

import AudioBuffers
import Concurrency
import SpeechEngines
import SpeechServices
import StructuredJSON

/// One `transcribe`: the sound so far, and its words.
struct WyomingUtterance {
    private let recognizer: WyomingEngines.Recognizer
    private let slots: EngineSlots
    private let outbox: WyomingOutbox
    private var input: WyomingSoundInput?
    private var sound: (stream: AsyncStream<AudioBuffer>, continuation: AsyncStream<AudioBuffer>.Continuation)?
    private var task: Task<[WyomingFrame], any Error>?

    init(_ recognizer: WyomingEngines.Recognizer, _ slots: EngineSlots, _ outbox: WyomingOutbox) {
        (self.recognizer, self.slots, self.outbox) = (recognizer, slots, outbox)
    }

    mutating func begin(
        _ format: WyomingSoundFormat, _ configuration: WyomingServerConfiguration
    ) throws(WyomingRefusal) {
        cancel()
        input = try WyomingSoundInput(format, to: recognizer.engine.format, configuration)
        sound = AsyncStream<AudioBuffer>.makeStream()
        if recognizer.streams { task = start() }
    }

    func hear(_ sound: WyomingSound) { if let input { self.sound?.continuation.yield(input.convert(sound)) } }

    /// The events with the words, after the sound's end.
    mutating func finish(within limit: Duration, clock: any Clock<Duration>) async throws -> [WyomingFrame] {
        var partial = WyomingPartialWords()
        guard let input, let sound else { return partial.lastFrames(for: Transcription("")) }
        let rest = input.finish()
        if rest.frameCount > 0 { sound.continuation.yield(rest) }
        sound.continuation.finish()
        let task = task ?? start()
        self.task = task
        return try await withStallLimit(limit, clock: clock) {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    mutating func cancel() {
        task?.cancel()
        sound?.continuation.finish()
        (task, sound, input) = (nil, nil, nil)
    }

    private func start() -> Task<[WyomingFrame], any Error> {
        Task { [recognizer, slots, outbox, stream = sound?.stream] in
            guard let stream else { throw CancellationError() }
            return try await slots.use {
                var partial = WyomingPartialWords()
                for try await event in recognizer.engine.recognize(stream) {
                    switch event {
                    case .partial(let words):
                        // A client that does not read must not hold the engine up; the next words have these too.
                        guard recognizer.streams, outbox.hasRoom else { continue }
                        for frame in partial.frames(for: words) { try await outbox.send(frame) }
                    case .final(let words): return partial.lastFrames(for: words)
                    }
                }
                try Task.checkCancellation()
                throw WyomingRefusal(.engineFailed, "The recogniser has said nothing.")
            }
        }
    }
}

/// Makes `transcript-chunk`s, which add to each other, of partial words, which replace each other.
///
/// Words that the engine takes back have been sent already; the `transcript` at the end has the right ones.
struct WyomingPartialWords {
    private var sent: String?

    mutating func frames(for words: String) -> [WyomingFrame] {
        guard words.hasPrefix(sent ?? ""), words != sent ?? "" else { return [] }
        let chunk = WyomingFrame(
            "transcript-chunk", data: ["text": .string(String(words.dropFirst(sent?.count ?? 0)))])
        defer { sent = words }
        return sent == nil ? [WyomingFrame("transcript-start"), chunk] : [chunk]
    }

    /// The whole words, and the end of the chunks if there were any.
    mutating func lastFrames(for words: Transcription) -> [WyomingFrame] {
        var data: JSONObject = ["text": .string(words.text)]
        if let language = words.language { data["language"] = .string(language) }
        let whole = WyomingFrame("transcript", data: data)
        guard sent != nil else { return [whole] }
        return frames(for: words.text) + [whole, WyomingFrame("transcript-stop")]
    }
}
