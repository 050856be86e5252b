// SPDX-License-Identifier: MIT

internal import Glibc

/// The result of a closer look at a candidate: the phrase against its rivals over the same sound.
struct PhraseEvidence: Sendable {
    static let names = [
        "score", "perFrame", "duration", "margin", "worst", "agreement", "rivals", "spotted", "first", "middle", "last",
        "energy", "quiet", "range", "perRange",
    ]
    /// The expected length, from the labelled set.
    private static let framesPerPhone = 7.75
    /// Scores are scaled to a phrase of this number of phones.
    private static let referencePhones = 8.0
    private static let noRival = -400.0
    /// In units of the zeroth cepstrum, below the loudest frame.
    private static let deepestSilence = 36.0

    /// The range of the phrase, in frames of the examined sound.
    let frames: ClosedRange<Int>
    /// The measures, in the order of ``names``.
    let measures: [Double]
    /// The level of the phrase's loudest frame above the background, in units of the zeroth cepstrum.
    let loudnessRange: Double
    /// The likelihood of the phrase against itself with the best other phone in each position, from -80 to 80.
    let margins: [Double]

    /// Nil if the phrase was not found again.
    ///
    /// - Parameters:
    ///   - candidates: The candidates for the phrase, its rivals and its parts.
    ///   - spotted: The first stage's score.
    ///   - levels: The zeroth cepstrum of each frame.
    init?(_ candidates: [KeywordSpotter.Candidate], of rivals: RivalPhrases, spotted: Double, levels: [Float]) {
        var best: KeywordSpotter.Candidate?
        for candidate in candidates where rivals.roles[candidate.keyphrase] == .phrase {
            if candidate.score > best?.score ?? -.infinity { best = candidate }
        }
        guard let best, best.frames.upperBound < levels.count else { return nil }
        frames = best.frames
        let scale = Self.referencePhones / Double(max(1, rivals.phoneCount))
        let margins = Margins(best, candidates, rivals)
        let parts = Parts(best, candidates, rivals)
        let loudness = Loudness(levels, best.frames, starts: parts.starts)
        loudnessRange = loudness.range
        self.margins = margins.places
        let length = Double(best.frames.count)
        measures = [
            best.score * scale, best.score / length,
            abs(log(length / (Double(rivals.phoneCount) * Self.framesPerPhone))), margins.mean, margins.worst,
            margins.agreement, margins.rivals, spotted * scale, parts.first, parts.middle, parts.last, loudness.weakest,
            loudness.quiet, loudness.range, best.score * scale / loudness.range,
        ]
    }

    /// The likelihood of the phrase against itself with another phone, position by position.
    private struct Margins {
        let mean: Double
        let worst: Double
        let agreement: Double
        /// A soft count of the rivals that are about as likely or likelier, as a logarithm.
        let rivals: Double
        /// The margin of each position, from -80 to 80.
        let places: [Double]

        init(_ best: KeywordSpotter.Candidate, _ candidates: [KeywordSpotter.Candidate], _ rivals: RivalPhrases) {
            var greatest = [Double](repeating: PhraseEvidence.noRival, count: rivals.phoneCount)
            var sum = exp((PhraseEvidence.noRival - best.score) / 20)
            for candidate in candidates {
                guard case .substitution(let place)? = rivals.roles[candidate.keyphrase],
                    candidate.frames.overlaps(best.frames)
                else { continue }
                greatest[place] = max(greatest[place], candidate.score)
                sum += exp(min(candidate.score - best.score, 200) / 20)
            }
            let margins = greatest.map { best.score - $0 }
            let clipped = margins.map { max(-80, min(80, $0)) }
            let count = Double(max(1, margins.count))
            mean = clipped.reduce(0, +) / count
            worst = clipped.min() ?? 0
            places = clipped
            agreement = margins.map { tanh($0 / 30) }.reduce(0, +) / count
            self.rivals = log(sum)
        }
    }

    /// The contribution of each part of the phrase to the score.
    private struct Parts {
        let first: Double
        let middle: Double
        let last: Double
        /// The frame at which each part but the first begins, if it is known.
        let starts: [Int]

        init(_ best: KeywordSpotter.Candidate, _ candidates: [KeywordSpotter.Candidate], _ rivals: RivalPhrases) {
            var before = [KeywordSpotter.Candidate?](repeating: nil, count: rivals.cutCount)
            var after = before
            for candidate in candidates {
                switch rivals.roles[candidate.keyphrase] {
                case .prefix(let cut)?
                where abs(candidate.frames.lowerBound - best.frames.lowerBound) <= 12
                    && candidate.frames.upperBound <= best.frames.upperBound + 3:
                    if candidate.score > before[cut]?.score ?? -.infinity { before[cut] = candidate }
                case .suffix(let cut)?
                where abs(candidate.frames.upperBound - best.frames.upperBound) <= 12
                    && candidate.frames.lowerBound >= best.frames.lowerBound - 3:
                    if candidate.score > after[cut]?.score ?? -.infinity { after[cut] = candidate }
                default: break
                }
            }
            // A part that was not found at all cannot have been said instead.
            let withoutEnd = after.map { part in part.map { best.score - $0.score } ?? 60 }
            let withoutBegin = before.map { part in part.map { best.score - $0.score } ?? 60 }
            let clip = { (value: Double) in max(-120, min(120, value)) }
            let head = withoutEnd.first ?? 60
            let tail = withoutBegin.last ?? 60
            first = clip(head)
            last = clip(tail)
            middle =
                rivals.cutCount > 1
                ? clip(((withoutEnd.last ?? 60) - head) / Double(rivals.cutCount - 1)) : clip((head + tail) / 2)
            starts = after.compactMap { $0?.frames.lowerBound }
        }
    }

    /// Measures of loudness that show if all of the phrase was loud enough to have been said.
    private struct Loudness {
        let weakest: Double
        let quiet: Double
        let range: Double

        init(_ levels: [Float], _ frames: ClosedRange<Int>, starts: [Int]) {
            let sorted = levels.sorted()
            let background = Double(sorted[(sorted.count - 1) / 10])
            let heard = levels[frames].map(Double.init)
            let top = max(heard.max() ?? 0, background + 5)
            // Everything further below the loudest frame is silence, however deep: a louder voice is no other phrase.
            let floor = max(background, top - PhraseEvidence.deepestSilence)
            range = top - floor
            let limit = floor + 0.25 * range
            quiet = Double(heard.count { $0 < limit }) / Double(heard.count)
            var weakest = 1.0
            var begin = frames.lowerBound
            for end in starts.sorted() + [frames.upperBound + 1] where end > begin + 2 && end <= frames.upperBound + 1 {
                let loudest = levels[begin..<end].max() ?? 0
                weakest = min(weakest, (Double(loudest) - floor) / range)
                begin = end
            }
            self.weakest = weakest
        }
    }
}
