// SPDX-License-Identifier: MIT

internal import Glibc

/// Weighs the evidence: a logistic regression, fitted by `Scripts/bench.d/wake-client/tune.py` on measurements of this
/// code.
struct PhraseRule: Sendable {
    /// The weight of a measure.
    struct Term: Sendable {
        let mean: Double
        let deviation: Double
        let weight: Double
        /// The addition to the weight for each unit of prominence.
        let slope: Double

        init(_ mean: Double, _ deviation: Double, _ weight: Double, _ slope: Double = 0) {
            self.mean = mean
            self.deviation = deviation
            self.weight = weight
            self.slope = slope
        }

        func value(_ measure: Double, at prominence: Double) -> Double {
            (weight + slope * prominence) * (measure - mean) / deviation
        }
    }

    /// The terms of each measure; then, in a rule for one phrase, of each phone's margin.
    let terms: [Term]
    /// The fitted bias less an offset that leaves two false alarms or fewer in 14 minutes of clean confusable speech
    /// (of the fit, on average): 0.75 for any phrase, 1 for the phrase of the fit, whose second rule decides in noise.
    let bias: Double
    /// The rule after a second look, for scores that the first look leaves undecided.
    var again: SecondRule?

    /// The rule for a phrase of these phones.
    static func rule(for phones: [String]) -> PhraseRule { phones == heyJarvisPhones ? heyJarvis : general }

    /// A rule over the measures of both looks.
    struct SecondRule: Sendable {
        /// The scores of the first look between which it decides.
        let undecided: ClosedRange<Double>
        /// The prominence from which the first look is sufficient: the sound has little noise.
        let greatestProminence: Double
        let terms: [Term]
        let bias: Double
        /// The weight of the prominence's square.
        let curve: Double
    }

    /// The confidence that the phrase was said, from 0 to 1.
    func score(_ evidence: PhraseEvidence) -> Double {
        Self.likelihood(evidence.measures + evidence.margins, terms, at: Self.prominence(of: evidence), bias)
    }

    /// True if a second look is worth its time after this score of the first.
    func isUndecided(_ evidence: PhraseEvidence, _ score: Double) -> Bool {
        guard let again else { return false }
        return again.undecided.contains(score) && Self.prominence(of: evidence) < again.greatestProminence
    }

    /// The confidence after a second look, from 0 to 1.
    func score(_ evidence: PhraseEvidence, again measures: [Double]) -> Double {
        guard let again else { return score(evidence) }
        let prominence = Self.prominence(of: evidence)
        return Self.likelihood(
            evidence.measures + evidence.margins + measures, again.terms, at: prominence,
            again.bias + again.curve * prominence * prominence)
    }

    /// The network's share in the decision, chosen on the seeds 2 and 4 of `Scripts/bench wake`.
    private static let network = (weight: 0.3, bias: 1.0)

    /// The confidence of a rule and a network together.
    ///
    /// - Parameters:
    ///   - likelihood: The rule's confidence.
    ///   - heard: The network's score.
    static func score(_ likelihood: Double, heard: Double) -> Double {
        let kept = max(1e-5, min(1 - 1e-5, likelihood))
        let sum = log(kept / (1 - kept)) + network.weight * max(-6, min(4, heard)) + network.bias
        return 1 / (1 + exp(-sum))
    }

    /// The level of the phrase above the background: -1.5 in much noise, 1.5 in clean sound.
    private static func prominence(of evidence: PhraseEvidence) -> Double {
        max(-1.5, min(1.5, (evidence.loudnessRange - 22) / 12))
    }

    private static func likelihood(
        _ measures: [Double], _ terms: [Term], at prominence: Double, _ bias: Double
    ) -> Double {
        var sum = bias
        for (measure, term) in zip(measures, terms) { sum += term.value(measure, at: prominence) }
        return 1 / (1 + exp(-sum))
    }

    /// For any phrase: it ignores single phones.
    private static let general = PhraseRule(
        terms: [
            Term(-98.153, 61.93, 1.972),
            Term(-2.5747, 1.9477, 1.2843),
            Term(0.36456, 0.25886, -0.66618),
            Term(-7.4186, 13.645, -1.6199),
            Term(-42.322, 19.237, -0.18452),
            Term(-0.18585, 0.29396, 0.0065175),
            Term(4.7249, 0.82774, -2.3092),
            Term(-105.47, 55.819, 0.35596),
            Term(-27.623, 28.939, -0.24185),
            Term(-42.208, 46.063, 0.28756),
            Term(-30.264, 39.318, -0.57845),
            Term(0.66881, 0.22787, 0.36415),
            Term(0.18733, 0.14626, -0.15154),
            Term(22.215, 12.443, -1.2976),
            Term(-6.7728, 5.7208, -0.99065),
        ],
        bias: -2.103)

    private static let heyJarvisPhones = ["HH", "EY", "JH", "AA", "R", "V", "AH", "S"]
    /// For the phrase of the fit, whose confusable phones and reliable measures in noise are known.
    private static let heyJarvis = PhraseRule(
        terms: [
            Term(-98.98, 61.47, 1.506, 0.6744),
            Term(-2.61, 1.945, 0.7883, 0.05981),
            Term(0.3704, 0.2603, -0.5339, 0.6875),
            Term(-7.571, 13.57, -0.4114, -0.2115),
            Term(-42.27, 19.12, 0.5305, 0.1756),
            Term(-0.1894, 0.2927, -0.432, -0.1911),
            Term(4.732, 0.8208, -1.615, -0.5369),
            Term(-106.2, 55.35, 0.5389, 0.09662),
            Term(-27.55, 28.89, -0.2362, 0.104),
            Term(-42.83, 45.95, 0.426, -0.1902),
            Term(-30.65, 39, -0.4199, 0.5114),
            Term(0.6191, 0.2436, 0.3943, 0.2091),
            Term(0.1858, 0.1463, 0.08799, -0.003476),
            Term(21.91, 12.35, -0.9464, 0.2071),
            Term(-6.914, 5.789, -0.04102, -0.1767),
            Term(-11.61, 12.98, 0.1073, -0.2185),
            Term(-8.815, 23.21, -0.1706, -0.1418),
            Term(-17.49, 35.42, -0.2775, 0.1883),
            Term(-8.085, 23.38, -0.819, 0.04751),
            Term(6.77, 37.63, -0.3018, -0.04876),
            Term(-1.285, 23.61, 0.9645, -0.369),
            Term(1.062, 15.25, -0.2882, -0.3699),
            Term(-21.11, 21.14, -0.9526, -0.3984),
        ],
        bias: -2.69, again: heyJarvisAgain)
}
