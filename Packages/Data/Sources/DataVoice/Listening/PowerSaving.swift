// SPDX-License-Identifier: MIT

public import VoiceActivity

/// Listening with less power: a detector that computes less, and larger pieces of sound. It begins and ends between two
/// things that are said, while the listener is closed.
public struct PowerSaving: Sendable {
    /// The time between two looks at the machine's power.
    static let interval = Duration.seconds(30)

    let isWanted: @Sendable () -> Bool
    let detector: any VoiceActivityDetector & Sendable
    let endpointing: Endpointer.Configuration

    /// - Parameters:
    ///   - isWanted: True while power is to be saved; called at the beginning and then every 30 s of sound. May read
    ///     files of the kernel.
    ///   - detector: The detector to use then; a fresh one.
    ///   - endpointing: The endpointing that fits it.
    public init(
        detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        (self.isWanted, self.detector, self.endpointing) = (isWanted, detector, endpointing)
    }
}

/// The moments at which a listener looks at the machine's power. Pure.
struct PowerWatch {
    private var waited = PowerSaving.interval
    private(set) var isSaving = false

    /// Takes the length of a piece of sound.
    ///
    /// - Parameter mayChange: False in the midst of something.
    /// - Returns: True if saving began or ended.
    mutating func hasChanged(after length: Duration, mayChange: Bool, _ isWanted: () -> Bool) -> Bool {
        waited += length
        guard mayChange, waited >= PowerSaving.interval else { return false }
        waited = .zero
        let wasSaving = isSaving
        isSaving = isWanted()
        return isSaving != wasSaving
    }
}
