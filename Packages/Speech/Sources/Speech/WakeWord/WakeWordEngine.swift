// SPDX-License-Identifier: MIT

internal import VoiceActivity

/// Drives the three stages over a stream in steps of 10 ms, so that nothing depends on how the stream is cut.
final class WakeWordEngine {
    private static let step = 160
    /// Frames of sound that are waited for after a candidate's end, in which the phrase may really end.
    private static let margin = 35
    /// What goes on for longer is searched in pieces, which overlap.
    private static let longestSearch = 3000
    private static let overlap = 150

    private let model: WakeWordModel
    private let phrase: WakeWordDetector.Phrase
    private let configuration: WakeWordDetector.Configuration

    private var voice = SpectralDetector()
    private var gate = SpeechGate()
    private var history: CepstrumHistory
    private var mean: RunningMean
    private var dither = InputDither()
    /// Samples that do not fill a step yet.
    private var rest: [Float] = []
    /// The position of the stream's first sample; nil before it.
    private var origin: Int?
    private var steps = 0
    /// The first frame of the search that goes on.
    private var searchStart: Int?
    /// The number after the last frame that was searched.
    private var searched = 0
    /// What has to be looked at closely as soon as enough sound has followed.
    private var pending: Range<Int>?
    /// Nothing before this frame is found again.
    private var settled = 0
    private var isPlaying = false
    private var playedUntil = Int.min

    init(_ model: WakeWordModel, phrase: WakeWordDetector.Phrase, configuration: WakeWordDetector.Configuration) {
        self.model = model
        self.phrase = phrase
        self.configuration = configuration
        history = CepstrumHistory(dimensions: model.frontEnd.dimensions, capacity: 400)
        mean = RunningMean(dimensions: model.frontEnd.dimensions)
    }

    func setPlaying(_ isPlaying: Bool) {
        if self.isPlaying, !isPlaying { playedUntil = heard }
        self.isPlaying = isPlaying
    }

    func reset() {
        if searchStart != nil { model.spotter.end() }
        voice.reset()
        gate = SpeechGate()
        history = CepstrumHistory(dimensions: model.frontEnd.dimensions, capacity: 400)
        mean = RunningMean(dimensions: model.frontEnd.dimensions)
        dither = InputDither()
        rest = []
        origin = nil
        steps = 0
        searchStart = nil
        searched = 0
        pending = nil
        settled = 0
        playedUntil = Int.min
    }

    func process(_ samples: [Float], at position: Int) throws(SpeechError) -> [WakeWordDetector.Detection] {
        var found: [WakeWordDetector.Detection] = []
        if let origin, origin + steps * Self.step + rest.count != position {
            found += closeSearch()
            reset()
        }
        if origin == nil {
            guard model.frontEnd.begin() else { throw failure() }
            origin = position
        }
        rest += samples
        var start = 0
        while rest.count - start >= Self.step {
            guard let detections = take(Array(rest[start..<(start + Self.step)])) else { throw failure() }
            found += detections
            start += Self.step
        }
        rest.removeFirst(start)
        return found
    }

    private var heard: Int { (origin ?? 0) + steps * Self.step + rest.count }

    private func failure() -> SpeechError {
        reset()
        return SpeechError(.recognitionFailed, "The sound cannot be searched for the phrase. Load the detector again.")
    }

    /// Nil when the library gives up.
    private func take(_ samples: [Float]) -> [WakeWordDetector.Detection]? {
        steps += 1
        guard let cepstra = model.frontEnd.next(dither.levels(samples)) else { return nil }
        history.append(cepstra)
        for probability in voice.process(samples) { gate.append(probability) }
        guard gate.isOpen else { return searchStart == nil ? [] : closeSearch() }
        return search()
    }

    private func search() -> [WakeWordDetector.Detection]? {
        if searchStart == nil {
            searched = max(searched, gate.frame - SpeechGate.lead, 0)
            beginSearch(at: searched)
        } else if pending == nil, let start = searchStart, searched - start >= Self.longestSearch {
            let found = closeSearch()
            beginSearch(at: searched - Self.overlap)
            return found
        }
        let rows = history.rows(searched..<history.end)
        guard rows.frameCount > 0 else { return [] }
        searched = history.end
        mean.observe(rows)
        guard model.spotter.process(mean.normalize(rows)) else { return nil }
        collect()
        guard let pending, searched >= pending.upperBound + Self.margin else { return [] }
        return verify()
    }

    private func beginSearch(at frame: Int) {
        searched = frame
        searchStart = frame
        model.spotter.begin()
    }

    private func closeSearch() -> [WakeWordDetector.Detection] {
        guard searchStart != nil else { return [] }
        model.spotter.end()
        collect()
        searchStart = nil
        return verify()
    }

    /// Joins what the spotter has found to what is pending.
    private func collect() {
        guard let searchStart else { return }
        for candidate in model.spotter.candidates() {
            let first = searchStart + candidate.frames.lowerBound
            let end = searchStart + candidate.frames.upperBound + 1
            guard first >= settled else { continue }
            guard let known = pending else {
                pending = first..<end
                continue
            }
            pending = min(known.lowerBound, first)..<max(known.upperBound, end)
        }
    }

    private func verify() -> [WakeWordDetector.Detection] {
        guard let origin, let span = pending else { return [] }
        pending = nil
        settled = span.upperBound
        let range = (origin + span.lowerBound * Self.step)..<(origin + span.upperBound * Self.step)
        let score = 0.9
        let penalty = isPlaying || range.lowerBound < playedUntil ? configuration.playingPenalty : 0
        guard score >= 1 - configuration.sensitivity + penalty else { return [] }
        return [
            WakeWordDetector.Detection(
                phrase: phrase, range: range, score: score, detectedAt: heard - rest.count,
                commandStart: max(origin, range.upperBound - samples(configuration.preRoll)))
        ]
    }

    private func samples(_ duration: Duration) -> Int { Int((duration / .milliseconds(1) * 16).rounded()) }
}
