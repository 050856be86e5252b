// SPDX-License-Identifier: MIT

public import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The scheduler of reviews: the Free Spaced Repetition Scheduler, version 6 (open-spaced-repetition, FSRS-6). It
/// predicts from the past reviews the time at which the chance to remember falls to the wanted retention.
public struct FSRS: Sendable, Hashable {
    /// The 21 weights; the published ones by default.
    public let weights: [Double]
    /// The chance to remember at which a review is due, between 0.7 and 0.99; 0.9 by default.
    public let retention: Double
    /// The waits before something new counts as learnt: 1 and 10 minutes.
    public let learningSteps: [Duration]
    /// The waits before something forgotten counts as learnt again: 10 minutes.
    public let relearningSteps: [Duration]
    /// The longest interval, in days: a hundred years.
    public let maximumInterval = 36_500

    /// The weights that FSRS-6 was published with.
    public static let publishedWeights = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483,
        0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]

    /// A scheduler with the published weights.
    ///
    /// - Parameter retention: Clamped between 0.7 and 0.99.
    public init(
        retention: Double = 0.9, learningSteps: [Duration] = [.seconds(60), .seconds(600)],
        relearningSteps: [Duration] = [.seconds(600)]
    ) {
        weights = Self.publishedWeights
        self.retention = min(max(retention, 0.7), 0.99)
        self.learningSteps = learningSteps
        self.relearningSteps = relearningSteps
    }

    /// The chance to remember at a time, from 0 to 1; it falls with each whole day.
    public func retrievability(of state: ReviewState, at time: Date) -> Double {
        pow(1 + factor * wholeDays(from: state.lastReview, to: time) / state.stability, -weights[20])
    }

    /// The state after a review.
    ///
    /// - Parameters:
    ///   - state: The state before; `nil` for something new.
    ///   - rating: The rating of the review.
    ///   - time: The time of the review.
    public func review(_ state: ReviewState?, _ rating: ReviewRating, at time: Date) -> ReviewState {
        let stability = stability(after: state, rating, at: time)
        let difficulty = state.map { nextDifficulty($0.difficulty, rating) } ?? clamped(initialDifficulty(rating))
        let (phase, wait) = next(state?.phase ?? .learning(step: 0), rating, stability)
        return ReviewState(
            phase: phase, stability: stability, difficulty: difficulty, lastReview: time,
            due: time.addingTimeInterval(wait / .seconds(1)))
    }

    private func next(
        _ phase: ReviewState.Phase, _ rating: ReviewRating, _ stability: Double
    ) -> (ReviewState.Phase, Duration) {
        switch phase {
        case .learning(let step): next(step, of: learningSteps, rating, stability) { .learning(step: $0) }
        case .relearning(let step): next(step, of: relearningSteps, rating, stability) { .relearning(step: $0) }
        case .review where rating == .again && !relearningSteps.isEmpty:
            (.relearning(step: 0), relearningSteps[0])
        case .review: (.review, interval(stability))
        }
    }

    private func next(
        _ step: Int, of steps: [Duration], _ rating: ReviewRating, _ stability: Double,
        phase: (Int) -> ReviewState.Phase
    ) -> (ReviewState.Phase, Duration) {
        guard let first = steps.first, rating == .again || step < steps.count else {
            return (.review, interval(stability))
        }
        switch rating {
        case .again: return (phase(0), first)
        case .hard where step == 0: return (phase(0), steps.count == 1 ? first * 1.5 : (first + steps[1]) / 2)
        case .hard: return (phase(step), steps[step])
        case .good where step + 1 < steps.count: return (phase(step + 1), steps[step + 1])
        case .good, .easy: return (.review, interval(stability))
        }
    }

    /// Whole days until the chance to remember is the wanted one.
    private func interval(_ stability: Double) -> Duration {
        let days = (stability / factor * (pow(retention, -1 / weights[20]) - 1)).rounded(.toNearestOrEven)
        return .seconds(86_400 * Int(min(max(days, 1), Double(maximumInterval))))
    }
}

/// The formulas, named as in the published description of the algorithm.
extension FSRS {
    /// A factor that makes the chance 90% after as many days as the stability.
    private var factor: Double { pow(0.9, -1 / weights[20]) - 1 }

    private func wholeDays(from start: Date, to end: Date) -> Double {
        max(0, (end.timeIntervalSince(start) / 86_400).rounded(.down))
    }

    private func stability(after state: ReviewState?, _ rating: ReviewRating, at time: Date) -> Double {
        guard let state else { return weights[rating.rawValue - 1] }
        let next: Double
        if time.timeIntervalSince(state.lastReview) < 86_400 {
            next = sameDayStability(state.stability, rating)
        } else if rating == .again {
            next = forgottenStability(state, at: time)
        } else {
            next = recalledStability(state, rating, at: time)
        }
        return max(next, 0.001)
    }

    private func sameDayStability(_ stability: Double, _ rating: ReviewRating) -> Double {
        let growth = exp(weights[17] * (Double(rating.rawValue - 3) + weights[18])) * pow(stability, -weights[19])
        return stability * (rating == .again ? growth : max(growth, 1))
    }

    private func forgottenStability(_ state: ReviewState, at time: Date) -> Double {
        let recall = retrievability(of: state, at: time)
        let long =
            weights[11] * pow(state.difficulty, -weights[12]) * (pow(state.stability + 1, weights[13]) - 1)
            * exp((1 - recall) * weights[14])
        return min(long, state.stability / exp(weights[17] * weights[18]))
    }

    private func recalledStability(_ state: ReviewState, _ rating: ReviewRating, at time: Date) -> Double {
        let recall = retrievability(of: state, at: time)
        let growth =
            exp(weights[8]) * (11 - state.difficulty) * pow(state.stability, -weights[9])
            * (exp((1 - recall) * weights[10]) - 1)
        let bonus = rating == .hard ? weights[15] : rating == .easy ? weights[16] : 1
        return state.stability * (1 + growth * bonus)
    }

    private func initialDifficulty(_ rating: ReviewRating) -> Double {
        weights[4] - exp(weights[5] * Double(rating.rawValue - 1)) + 1
    }

    private func nextDifficulty(_ difficulty: Double, _ rating: ReviewRating) -> Double {
        let change = -weights[6] * Double(rating.rawValue - 3)
        let damped = difficulty + (10 - difficulty) * change / 9
        return clamped(weights[7] * initialDifficulty(.easy) + (1 - weights[7]) * damped)
    }

    private func clamped(_ difficulty: Double) -> Double { min(max(difficulty, 1), 10) }
}
