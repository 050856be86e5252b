// SPDX-License-Identifier: MIT

/// Follows the level of the background by minimum statistics (after R. Martin, 2001, much simplified).
struct NoiseFloor: Sendable {
    private static let lowest: Float = -75
    /// The first frames alone decide nothing: speech may begin at once.
    private static let settlingFrames = 8
    /// Before the first pause of a stream that begins with speech, a louder floor than this is not believed.
    private static let loudestFirstGuess: Float = -38
    private static let blockFrames = 25
    private static let blocks = 6

    private var smoothed: Float?
    private var frames = 0
    private var current = Float.infinity
    private var minima: [Float] = []

    /// The floor in dBFS.
    private(set) var level: Float = lowest

    /// Whether enough was heard to decide anything.
    var isSettled: Bool { frames >= Self.settlingFrames }

    /// Takes the level of the next 10 ms.
    mutating func observe(_ frameLevel: Float) {
        let bounded = max(frameLevel, Self.lowest)
        let smooth = smoothed.map { $0 + 0.35 * (bounded - $0) } ?? bounded
        smoothed = smooth
        frames += 1
        current = min(current, smooth)
        if frames % Self.blockFrames == 0 {
            minima.append(current)
            if minima.count > Self.blocks { minima.removeFirst() }
            current = smooth
        }
        var lowest = current
        for minimum in minima { lowest = min(lowest, minimum) }
        if frames < Self.blockFrames * 2 { lowest = min(lowest, Self.loudestFirstGuess) }
        level = lowest
    }
}
