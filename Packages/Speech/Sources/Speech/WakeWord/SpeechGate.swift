// SPDX-License-Identifier: MIT

/// Decides which frames are worth a search: those near speech. Rather open than shut.
struct SpeechGate {
    /// A frame of at least this probability keeps the gate open.
    private static let threshold: Float = 0.3
    /// So many of the last frames must reach it to open the gate.
    private static let onset = 3
    private static let onsetWindow: UInt64 = 0b11_1111
    /// How many frames without speech close it: the last phone of a phrase, and what the closer look waits for.
    private static let hangover = 50

    /// True if frames have to be searched.
    private(set) var isOpen = false
    /// How many frames were decided.
    private(set) var frame = 0
    private var recent: UInt64 = 0
    private var silence = 0

    /// Takes the probability of the next frame.
    mutating func append(_ probability: Float) {
        let isSpeech = probability >= Self.threshold
        recent = (recent << 1 | (isSpeech ? 1 : 0)) & Self.onsetWindow
        silence = isSpeech ? 0 : silence + 1
        isOpen = isOpen ? silence < Self.hangover : recent.nonzeroBitCount >= Self.onset
        frame += 1
    }
}
