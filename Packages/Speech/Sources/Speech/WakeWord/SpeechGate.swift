// SPDX-License-Identifier: MIT

/// Selects the frames for a search: those near speech. It rather passes too many than too few.
struct SpeechGate {
    /// A frame of at least this probability keeps the gate open.
    private static let threshold: Float = 0.3
    /// The number of recent frames that must reach it to open the gate.
    private static let onset = 3
    private static let onsetWindow: UInt64 = 0b11_1111
    /// The number of frames without speech that close it: the last phone of a phrase, and the wait of the closer look.
    private static let hangover = 50

    /// True while frames have to be searched.
    private(set) var isOpen = false
    /// The number of decided frames.
    private(set) var frame = 0
    private var recent: UInt64 = 0
    private var silence = 0

    /// Adds the probability of the next frame.
    mutating func append(_ probability: Float) {
        let isSpeech = probability >= Self.threshold
        recent = (recent << 1 | (isSpeech ? 1 : 0)) & Self.onsetWindow
        silence = isSpeech ? 0 : silence + 1
        isOpen = isOpen ? silence < Self.hangover : recent.nonzeroBitCount >= Self.onset
        frame += 1
    }
}
