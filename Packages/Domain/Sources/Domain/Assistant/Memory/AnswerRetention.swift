// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Decides which kept answers make room for a new one.
///
/// An answer is worth its place if the chance that its question is asked again while the answer is valid is above
/// ``threshold`` (``ReuseModel``). The others go first: the one whose question is least likely within the next three hours
/// before the rest, and of equally likely ones the one that was used longest ago. An answer that is worth its place makes
/// room only for another one that is.
public struct AnswerRetention: Sendable {
    /// A kept answer.
    public struct Item: Sendable, Hashable {
        /// The name of the question, as the model knows it.
        public let question: String
        /// The time until which the answer is valid.
        public let expiresAt: Date

        /// An answer.
        public init(question: String, expiresAt: Date) { (self.question, self.expiresAt) = (question, expiresAt) }
    }

    /// The chance of reuse above which an answer is worth its place.
    public static let threshold = 0.7
    private static let soon: TimeInterval = 3 * 3_600

    private let model: ReuseModel
    private let now: Date

    /// - Parameters:
    ///   - model: A model of this person up to `now`.
    ///   - now: The time of the decision.
    public init(_ model: ReuseModel, at now: Date) { (self.model, self.now) = (model, now) }

    /// The answers that may go, the first to go first.
    ///
    /// - Parameters:
    ///   - kept: The kept answers, the one that was used longest ago first.
    ///   - new: The answer that needs the place.
    /// - Returns: Positions in `kept`; without those of answers worth their place, unless `new` is, too.
    public func removable(of kept: [Item], for new: Item) -> [Int] {
        let isNewWorthIt = isWorthKeeping(new)
        return kept.enumerated().compactMap { place, item -> (isWorthIt: Bool, chance: Double, place: Int)? in
            let isWorthIt = isWorthKeeping(item)
            guard isNewWorthIt || !isWorthIt else { return nil }
            return (isWorthIt, model.chance(of: item.question, within: Self.soon), place)
        }.sorted {
            ($0.isWorthIt ? 1 : 0, $0.chance, $0.place) < ($1.isWorthIt ? 1 : 0, $1.chance, $1.place)
        }.map(\.place)
    }

    private func isWorthKeeping(_ item: Item) -> Bool {
        model.chance(of: item.question, within: item.expiresAt.timeIntervalSince(now)) > Self.threshold
    }
}
