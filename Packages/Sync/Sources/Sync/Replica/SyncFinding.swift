// SPDX-License-Identifier: MIT

/// Something about the place, or about another device, that a person should know. Nothing of what it names is believed.
public struct SyncFinding: Sendable, Hashable, CustomStringConvertible {
    /// The kind of finding; more may be added.
    public enum Kind: String, Sendable, CaseIterable {
        /// Entries that another device has seen are not at the place, or not yet.
        case missing
        /// The place no longer has what it promised to keep: it was set back to an earlier state.
        case rolledBack
        /// A device signed two different histories: its keys are in use twice, say after a copy of its home folder.
        case forked
        /// An object whose signature or hash does not fit.
        case forged
        /// An object under the name of another one.
        case misnamed
    }

    /// The kind.
    public let kind: Kind
    /// The device whose log it is about; nil if it is about none.
    public let device: DeviceID?
    /// The object or the entries.
    public let subject: String

    /// The kind, the device and the subject.
    public var description: String {
        "\(kind.rawValue) \(subject)" + (device.map { " of device \($0)" } ?? "")
    }
}
