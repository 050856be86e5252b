// SPDX-License-Identifier: MIT

import Synchronization

/// The speed of a synthesizer, which may be changed while it speaks.
public final class SpeechRate: Sendable {
    /// The speeds that a synthesizer takes, in percent of the voice's own.
    public static let range = 50...200

    private let value: Atomic<Int>

    /// - Parameter percent: The speed in percent of the voice's own; it is limited to ``range``.
    public init(percent: Int = 100) { value = Atomic(Self.limited(percent)) }

    /// The speed in percent of the voice's own. Setting it takes effect with the next sentence, limited to ``range``.
    public var percent: Int {
        get { value.load(ordering: .relaxed) }
        set { value.store(Self.limited(newValue), ordering: .relaxed) }
    }

    private static func limited(_ percent: Int) -> Int {
        min(range.upperBound, max(range.lowerBound, percent))
    }
}
