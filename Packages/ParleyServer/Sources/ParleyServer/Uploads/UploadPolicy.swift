// SPDX-License-Identifier: MIT

/// Limits of the disk space for recordings.
public struct UploadPolicy: Sendable, Hashable {
    /// The most bytes of one recording; 64 MiB.
    public var maximumBytes = 64 << 20
    /// The most bytes of an account's recordings together, those included that are still being uploaded; 2 GiB.
    public var quotaBytes = 2 << 30
    /// The most recordings of an account; 20,000.
    public var maximumCount = 20_000
    /// The time without bytes after which an upload is deleted; a week.
    public var lifetime: Duration = .seconds(7 * 86_400)

    /// The defaults.
    public init() {}
}
