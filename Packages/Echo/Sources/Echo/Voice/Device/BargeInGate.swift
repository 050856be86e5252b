// SPDX-License-Identifier: MIT
internal import AudioDSP

/// Keeps the assistant from interrupting itself: lets the microphone's sound through while the assistant is heard only when
/// it is clearly louder than the assistant's echo. Pure; powers are mean squares.
///
/// How loud the echo is for what the loudspeaker plays is learned from the last three seconds in which it played, as the
/// level that one twentieth of the pieces exceed; so it follows an echo canceller that converges, a volume knob, a person
/// who moves the microphone. What is louder counts a little, too: were it never counted, a louder echo would be taken for
/// the user for ever, and were it counted fully, the user would soon be taken for the echo. Nothing is learned from the
/// loudspeaker's first moments, whose echo may not have come yet.
struct BargeInGate {
    /// What becomes of a piece.
    struct Judgement: Equatable {
        /// Whether it may be the user's.
        var admits: Bool
        /// Whether the user speaks, over the assistant or since then.
        var isVoice: Bool
    }

    /// How much louder than the expected echo, and than the noise, the user must be: 6 dB.
    private static let margin = 4.0
    /// The least that the canceller must leave of what the microphone hears, as a share of it: −12 dB. Of a voice it leaves
    /// nearly all, and less of an echo, also where it errs for a moment.
    private static let rest = 0.063
    /// The quietest that the assistant counts as heard, and the user as speaking.
    private static let quietest = 1e-6
    /// The loudspeaker's least power to learn from: the noise would be taken for an echo otherwise.
    private static let teaching = 1e-5
    /// The smoothing constant of the microphone's power, in seconds.
    private static let smoothing = 0.04
    /// How much is remembered, and how much of it must be known before anything passes, in seconds.
    private static let memory = 3.0
    private static let least = 0.5
    /// The share of pieces that are quieter than the expected echo.
    private static let quantile = 0.95
    /// How much of what is louder than the echo is learned from at once, in seconds, and which share of what follows.
    private static let allowance = 0.2
    private static let moreAllowance = 0.2
    /// How long the loudspeaker must have played for its echo to be there, in seconds.
    private static let lateness = 0.36
    /// How long the user must be louder to be speaking, and quieter to have ended, in seconds.
    private static let onset = 0.05
    private static let ending = 0.4
    /// How fast the noise's estimate rises, in decibels for each second.
    private static let rise = 2.0

    /// What the echo was, as a share of what was played, in decibels; the last pieces, of `lengths` seconds.
    private var shares: [(decibels: Double, seconds: Double)] = []
    private var known = 0.0
    private var near = 0.0
    /// What the microphone hears before the canceller.
    private var raw = 0.0
    private var noise: Double?
    private var isVoice = false
    private var louderFor = 0.0
    private var quieterFor = 0.0
    private var allowed = allowance
    private var playedFor = 0.0

    /// How much of what the loudspeaker plays is expected at the microphone, in decibels; nil before half a second of it was
    /// learned from.
    var expectedShare: Double? {
        guard known >= Self.least else { return nil }
        let sorted = shares.map(\.decibels).sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * Self.quantile))]
    }

    /// Judges the next piece of the microphone's.
    ///
    /// - Parameters:
    ///   - power: its power, after the echo canceller if there is one.
    ///   - raw: its power before the canceller; nil without one.
    ///   - played: the power of what the loudspeaker plays, as loud as it may still be in the room; 0 when nothing does.
    ///   - seconds: its length.
    ///   - isSure: whether `played` is what is really in the room; nothing is learned otherwise.
    mutating func judge(
        power: Double, raw: Double? = nil, played: Double, seconds: Double, isSure: Bool = true
    ) -> Judgement {
        let weight = min(1, seconds / Self.smoothing)
        near += weight * (power - near)
        let before = self.raw
        self.raw += weight * ((raw ?? power) - self.raw)
        guard played > Self.quietest else { return judgeAlone(seconds) }
        let noise = noise ?? 0
        let expected = expectedShare
        let echo = expected.map { played * Decibels.power($0) }
        // The stages behind the canceller are late by half a piece.
        let isLeft = raw == nil || near > Self.rest * max(before, self.raw)
        let isLouder = isLeft && echo.map { near > Self.margin * ($0 + noise) && near > Self.quietest } ?? false
        note(isLouder: isLouder, seconds, mayBegin: true)
        if isSure { learn(isLouder || isVoice, played: played, noise: noise, seconds) }
        return Judgement(admits: isLouder || isVoice, isVoice: isVoice)
    }

    /// Nothing but the user and the room are heard.
    private mutating func judgeAlone(_ seconds: Double) -> Judgement {
        playedFor = 0
        let before = noise ?? near
        let risen = max(before, 1e-10) * Decibels.power(Self.rise * seconds)
        noise = min(near, risen)
        note(isLouder: near > Self.margin * before && near > Self.quietest, seconds, mayBegin: false)
        return Judgement(admits: true, isVoice: isVoice)
    }

    private mutating func note(isLouder: Bool, _ seconds: Double, mayBegin: Bool) {
        louderFor = isLouder ? louderFor + seconds : 0
        quieterFor = isLouder ? 0 : quieterFor + seconds
        if mayBegin, louderFor >= Self.onset { isVoice = true }
        if quieterFor >= Self.ending { isVoice = false }
    }

    private mutating func learn(_ mayBeVoice: Bool, played: Double, noise: Double, _ seconds: Double) {
        playedFor += seconds
        guard played > Self.teaching, playedFor > Self.lateness || mayBeVoice else { return }
        allowed = min(Self.allowance, allowed + (mayBeVoice ? Self.moreAllowance : 1) * seconds)
        if mayBeVoice {
            guard allowed >= seconds else { return }
            allowed -= seconds
        }
        let share = Decibels.ofPower(max(near - noise, near * 0.01, 1e-12) / played)
        shares.append((share, seconds))
        known += seconds
        while known - shares[0].seconds > Self.memory { known -= shares.removeFirst().seconds }
    }
}
