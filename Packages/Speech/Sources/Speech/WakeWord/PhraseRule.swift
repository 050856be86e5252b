// SPDX-License-Identifier: MIT

internal import Glibc

/// Weighs the evidence: a logistic regression, fitted by `Scripts/bench.d/wake-client/tune.py` on what this very code
/// measured.
enum PhraseRule {
    /// Of each measure: mean, standard deviation and weight.
    static let terms: [(mean: Double, deviation: Double, weight: Double)] = [
        (-98.153, 61.93, 1.972),
        (-2.5747, 1.9477, 1.2843),
        (0.36456, 0.25886, -0.66618),
        (-7.4186, 13.645, -1.6199),
        (-42.322, 19.237, -0.18452),
        (-0.18585, 0.29396, 0.0065175),
        (4.7249, 0.82774, -2.3092),
        (-105.47, 55.819, 0.35596),
        (-27.623, 28.939, -0.24185),
        (-42.208, 46.063, 0.28756),
        (-30.264, 39.318, -0.57845),
        (0.66881, 0.22787, 0.36415),
        (0.18733, 0.14626, -0.15154),
        (22.215, 12.443, -1.2976),
        (-6.7728, 5.7208, -0.99065),
    ]
    /// With 0.75 taken off: what leaves two false alarms in 13 minutes of clean confusable speech.
    static let bias = -2.103

    /// How sure it is that the phrase was said, from 0 to 1.
    static func score(_ evidence: PhraseEvidence) -> Double {
        var sum = bias
        for (measure, term) in zip(evidence.measures, terms) {
            sum += term.weight * (measure - term.mean) / term.deviation
        }
        return 1 / (1 + exp(-sum))
    }
}
