// SPDX-License-Identifier: MIT
internal import AudioDSP

/// Keeps the assistant from interrupting itself: lets the microphone's sound through while the assistant is heard only
/// when it is clearly louder than the assistant's echo. Pure; powers are mean squares.
///
/// The ratio of the echo to the loudspeaker's sound is learned from the last three seconds in which it played
/// (``EchoShare``); so it follows an echo canceller that converges, a volume knob, a person who moves the microphone.
/// Louder sound counts a little, too: if it never counted, a louder echo would be taken for the user for ever, and if
/// it counted fully, the user would soon be taken for the echo. Nothing is learned from the loudspeaker's first
/// moments, since their echo may not have arrived yet.
///
/// A canceller may diverge. Its output is therefore compared with its input, and, if that could be an echo too, with
/// the loudspeaker's own sound.
struct BargeInGate {
    /// The judgement of a piece.
    struct Judgement: Equatable {
        /// True if it may be the user's.
        var admits: Bool
        /// True if the user speaks, over the assistant or since then.
        var isVoice: Bool
    }

    /// A piece of the microphone's sound.
    struct Piece {
        /// Its power, after the echo canceller if there is one.
        var power: Double
        /// Its power before the canceller; nil without one.
        var raw: Double?
        /// The power of the loudspeaker's sound, as loud as it may still be in the room; 0 while it plays nothing.
        var played: Double
        /// Its length.
        var seconds: Double
        /// True if `played` is reliable; otherwise nothing is learned.
        var isSure = true
    }

    /// The factor by which the user must be louder than the expected echo and the noise: 6 dB.
    private static let margin = 4.0
    /// The least share of the microphone's power that the canceller must leave for a voice: −12 dB. It leaves nearly
    /// all of a voice, and less of an echo, also where it errs for a moment.
    private static let rest = 0.063
    /// The least power at which the assistant counts as heard, and the user as speaking.
    private static let quietest = 1e-6
    /// The least power of the loudspeaker that is learned from: otherwise noise would be taken for an echo.
    private static let teaching = 1e-5
    /// The smoothing constant of the microphone's power, in seconds.
    private static let smoothing = 0.04
    /// The sound louder than the echo that is learned from at once, in seconds, and the share of the rest that is.
    private static let allowance = 0.2
    private static let moreAllowance = 0.2
    /// The playing time after which the loudspeaker's echo must have arrived, in seconds.
    private static let lateness = 0.36
    /// The time for which the user must be louder to be speaking, and quieter to have ended, in seconds.
    private static let onset = 0.05
    private static let ending = 0.4
    /// The rate at which the noise's estimate rises, in decibels for each second.
    private static let rise = 2.0

    /// The echo after the canceller, and before it.
    private var left = EchoShare()
    private var echo = EchoShare()
    private var near = 0.0
    private var raw = 0.0
    private var noise: Double?
    private var isVoice = false
    private var louderFor = 0.0
    private var quieterFor = 0.0
    private var allowed = allowance
    private var playedFor = 0.0

    /// The expected share of the loudspeaker's sound at the microphone, in decibels; nil before half a second of it was
    /// learned from.
    var expectedShare: Double? { left.expected }

    /// Judges the next piece.
    ///
    /// - Parameter isEcho: True if the last 60 ms sound like the loudspeaker's; called only if loudness is ambiguous.
    mutating func judge(_ piece: Piece, isEcho: () -> Bool = { false }) -> Judgement {
        let weight = min(1, piece.seconds / Self.smoothing)
        // The stages after the canceller delay the sound by half a piece.
        let before = raw
        near += weight * (piece.power - near)
        raw += weight * ((piece.raw ?? piece.power) - raw)
        guard piece.played > Self.quietest else { return judgeAlone(piece.seconds) }
        var isLouder = isLouder(than: left, piece.played, near) && near > Self.quietest
        if piece.raw != nil, near < Self.rest * max(before, raw) { isLouder = false }
        // If the power before the canceller fits an echo, the sound may be one.
        let isDoubtful = piece.raw != nil && !isVoice && isLouder && !self.isLouder(than: echo, piece.played, raw)
        if isDoubtful, louderFor + piece.seconds >= Self.onset, isEcho() { isLouder = false }
        note(isLouder: isLouder, piece.seconds, mayBegin: true)
        if piece.isSure { learn(isLouder || isVoice, piece) }
        return Judgement(admits: isVoice || (isLouder && !isDoubtful), isVoice: isVoice)
    }

    private func isLouder(than share: EchoShare, _ played: Double, _ power: Double) -> Bool {
        guard let expected = share.expected else { return false }
        return power > Self.margin * (played * Decibels.power(expected) + (noise ?? 0))
    }

    /// Judges a piece while the loudspeaker is silent.
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

    private mutating func learn(_ mayBeVoice: Bool, _ piece: Piece) {
        playedFor += piece.seconds
        guard piece.played > Self.teaching, playedFor > Self.lateness || mayBeVoice else { return }
        allowed = min(Self.allowance, allowed + (mayBeVoice ? Self.moreAllowance : 1) * piece.seconds)
        if mayBeVoice {
            guard allowed >= piece.seconds else { return }
            allowed -= piece.seconds
        }
        let noise = noise ?? 0
        left.add(max(near - noise, near * 0.01), of: piece.played, seconds: piece.seconds)
        echo.add(max(raw - noise, raw * 0.01), of: piece.played, seconds: piece.seconds)
    }
}
