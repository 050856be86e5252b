// SPDX-License-Identifier: MIT

internal import VoiceActivity

/// Runs the three stages in steps of 10 ms, so that the result does not depend on the sizes of the buffers.
///
/// Frames are numbered from the stream's first sample, 160 samples each.
final class WakeWordEngine {
    /// A candidate after a closer look.
    struct Finding {
        let detection: WakeWordDetector.Detection
        let evidence: PhraseEvidence
        /// The measures of the second look; nil without one.
        let again: [Double]?
        /// The network's score, the logarithm of the odds; nil without a network.
        let heard: Double?
        let isAccepted: Bool
    }

    private static let step = 160
    /// The number of searched frames before the first speech, for soft first consonants and the noise's level.
    private static let lead = 40
    /// The number of frames by which the search lags, so that the mean includes the frames that follow.
    private static let ahead = 20
    /// The weight of the earlier speech's mean when speech begins.
    private static let carried: Float = 60
    /// The number of frames before a candidate that are examined. The spotter's end may be 0.3 s too early.
    private static let before = 20
    private static let after = 45
    /// A candidate that is longer than this is examined at once.
    private static let longestCandidate = 300
    /// A search that is longer than this is split into overlapping parts.
    private static let longestSearch = 3000
    private static let overlap = 150
    private static let kept = 400
    /// The least number of stored frames of sound, for a second look at the longest candidate.
    private static let remembered = 500

    private let model: WakeWordModel
    private let phrase: WakeWordDetector.Phrase
    private let configuration: WakeWordDetector.Configuration
    private var stream: Stream
    private var isPlaying = false
    private var playedUntil = Int.min

    /// The state of one stream.
    private struct Stream {
        /// The position of the first sample; nil before it.
        var origin: Int?
        /// Samples that do not fill a step yet.
        var rest: [Float] = []
        var steps = 0
        var voice = SpectralDetector()
        var gate = SpeechGate()
        var gain = InputGain(factor: 1)
        /// The last sound, for the lead and the second look.
        var sound: [Int16] = []
        var history: CepstrumHistory
        var mean: RunningMean
        var search: Search?

        init(dimensions: Int) {
            history = CepstrumHistory(dimensions: dimensions, capacity: kept)
            mean = RunningMean(dimensions: dimensions)
        }
    }

    /// The search while the gate is open.
    private struct Search {
        var start: Int
        /// The frame after the last one that was searched.
        var end: Int
        /// The candidate that is examined as soon as enough sound has followed.
        var pending: Range<Int>?
        var score = -Double.infinity
        /// Candidates that begin before this frame have been examined.
        var settled: Int
    }

    init(_ model: WakeWordModel, phrase: WakeWordDetector.Phrase, configuration: WakeWordDetector.Configuration) {
        self.model = model
        self.phrase = phrase
        self.configuration = configuration
        stream = Stream(dimensions: model.frontEnd.dimensions)
    }

    func setPlaying(_ isPlaying: Bool) {
        if self.isPlaying, !isPlaying { playedUntil = (stream.origin ?? 0) + stream.steps * Self.step }
        self.isPlaying = isPlaying
    }

    func reset() {
        if stream.search != nil { model.spotter.end() }
        stream = Stream(dimensions: model.frontEnd.dimensions)
        playedUntil = Int.min
    }

    func process(_ samples: [Float], at position: Int) throws(SpeechError) -> [Finding] {
        var found: [Finding] = []
        if let origin = stream.origin, origin + stream.steps * Self.step + stream.rest.count != position {
            found += closeSearch()
            // Sound that the app plays may continue over the gap.
            let played = playedUntil
            reset()
            playedUntil = played
        }
        if stream.origin == nil { stream.origin = position }
        stream.rest += samples
        var start = 0
        while stream.rest.count - start >= Self.step {
            guard let next = take(Array(stream.rest[start..<(start + Self.step)])) else {
                reset()
                throw SpeechError(
                    .recognitionFailed, "The sound cannot be searched for the phrase. Load the detector again.")
            }
            found += next
            start += Self.step
        }
        stream.rest.removeFirst(start)
        return found
    }

    /// Processes one step of sound; nil if the library fails.
    private func take(_ samples: [Float]) -> [Finding]? {
        stream.steps += 1
        var fresh = stream.gain.scaled(samples)
        stream.sound += fresh
        if stream.sound.count > 2 * Self.remembered * Self.step {
            stream.sound.removeFirst(Self.remembered * Self.step)
        }
        for probability in stream.voice.process(samples) { stream.gate.append(probability) }
        guard stream.gate.isOpen else { return closeSearch() }
        if stream.search == nil {
            let oldest = stream.steps - stream.sound.count / Self.step
            let start = max(oldest, stream.gate.frame - Self.lead)
            // The library's estimate of the noise begins anew with the noise before this speech.
            guard model.frontEnd.begin() else { return nil }
            stream.history = CepstrumHistory(dimensions: model.frontEnd.dimensions, capacity: Self.kept, first: start)
            stream.mean.limit(to: Self.carried)
            fresh = Array(stream.sound[((start - oldest) * Self.step)...])
            beginSearch(at: start, settled: start)
        }
        guard let cepstra = model.frontEnd.next(fresh) else { return nil }
        stream.history.append(cepstra)
        stream.mean.observe(cepstra)
        return search()
    }

    private func beginSearch(at frame: Int, settled: Int) {
        stream.search = Search(start: frame, end: frame, settled: settled)
        model.spotter.begin()
    }

    private func search() -> [Finding]? {
        guard let search = stream.search else { return [] }
        if search.pending == nil, search.end - search.start >= Self.longestSearch {
            let found = closeSearch()
            beginSearch(at: max(search.end - Self.overlap, stream.history.first), settled: search.settled)
            return found
        }
        // Several frames at once, because each call has a cost.
        if stream.history.end - Self.ahead - search.end >= 5 {
            guard spot(until: stream.history.end - Self.ahead) else { return nil }
            collect()
        }
        guard let pending = stream.search?.pending,
            stream.history.end >= pending.upperBound + Self.after || pending.count > Self.longestCandidate
        else { return [] }
        return lookCloser(at: pending)
    }

    private func closeSearch() -> [Finding] {
        guard stream.search != nil else { return [] }
        _ = spot(until: stream.history.end)
        model.spotter.end()
        var found: [Finding] = []
        collect()
        while let pending = stream.search?.pending {
            found += lookCloser(at: pending)
            collect()
        }
        stream.search = nil
        return found
    }

    private func spot(until frame: Int) -> Bool {
        guard let search = stream.search, frame > search.end else { return true }
        stream.search?.end = frame
        return model.spotter.process(stream.mean.normalize(stream.history.rows(search.end..<frame)))
    }

    /// Merges the spotter's candidates with the pending one if they overlap; the others wait for their turn.
    private func collect() {
        guard var search = stream.search else { return }
        for candidate in model.spotter.candidates().sorted(by: { $0.frames.lowerBound < $1.frames.lowerBound }) {
            let first = search.start + candidate.frames.lowerBound
            let end = search.start + candidate.frames.upperBound + 1
            guard first >= search.settled else { continue }
            if let known = search.pending {
                guard first < known.upperBound else { continue }
                search.pending = min(known.lowerBound, first)..<max(known.upperBound, end)
            } else {
                search.pending = first..<end
            }
            search.score = max(search.score, candidate.score)
        }
        stream.search = search
    }

    private func lookCloser(at span: Range<Int>) -> [Finding] {
        guard let spotted = stream.search?.score, let origin = stream.origin else { return [] }
        stream.search?.pending = nil
        stream.search?.score = -.infinity
        // A candidate that begins in the second half of a wrong one may be right.
        stream.search?.settled = (span.lowerBound + span.upperBound) / 2
        let first = max(span.lowerBound - Self.before, stream.history.first)
        let rows = stream.history.rows(first..<(span.upperBound + Self.after))
        let normalized = stream.mean.normalize(rows)
        guard let evidence = model.verifier.evidence(in: normalized, spotted: spotted) else { return [] }
        let begin = origin + (first + evidence.frames.lowerBound) * Self.step
        let end = origin + (first + evidence.frames.upperBound + 1) * Self.step
        let now = origin + stream.steps * Self.step
        var score = model.rule.score(evidence)
        let again = model.rule.isUndecided(evidence, score) ? lookAgain(from: first, to: span.upperBound, spotted) : nil
        if let again { score = model.rule.score(evidence, again: again) }
        let middle = first + (evidence.frames.lowerBound + evidence.frames.upperBound) / 2
        let heard = model.network?.score(sound(from: middle - PhraseNetwork.reach, to: middle + PhraseNetwork.reach))
        if let heard { score = PhraseRule.score(score, heard: heard) }
        let penalty = isPlaying || begin < playedUntil ? configuration.playingPenalty : 0
        let isAccepted = score >= 1 - configuration.sensitivity + penalty
        if isAccepted { stream.search?.settled = max(span.upperBound, first + evidence.frames.upperBound + 1) }
        let detection = WakeWordDetector.Detection(
            phrase: phrase, range: begin..<min(end, now), score: score, detectedAt: now,
            commandStart: max(begin, end - samples(configuration.preRoll)))
        return [Finding(detection: detection, evidence: evidence, again: again, heard: heard, isAccepted: isAccepted)]
    }

    /// Measures the sound of a candidate again; nil if it is not stored any more, or without a second look.
    private func lookAgain(from first: Int, to end: Int, _ spotted: Double) -> [Double]? {
        let oldest = stream.steps - stream.sound.count / Self.step
        let begin = max(oldest, first - SecondLook.lead)
        let until = min(stream.steps, end + Self.after)
        guard let secondLook = model.secondLook, begin <= first, first < until else { return nil }
        let sound = stream.sound[((begin - oldest) * Self.step)..<((until - oldest) * Self.step)]
        return secondLook.measures(in: Array(sound), after: first - begin, spotted: spotted)
    }

    /// The sound of these frames, as far as it is stored; samples between -1 and 1.
    private func sound(from first: Int, to end: Int) -> [Float] {
        let oldest = stream.steps - stream.sound.count / Self.step
        let begin = max(first, oldest)
        let until = max(begin, min(end, stream.steps))
        let samples = stream.sound[((begin - oldest) * Self.step)..<((until - oldest) * Self.step)]
        return samples.map { Float($0) / 32768 }
    }

    private func samples(_ duration: Duration) -> Int { Int((duration / .milliseconds(1) * 16).rounded()) }
}
