// SPDX-License-Identifier: MIT

/// How much of the disk recordings may take.
public struct UploadPolicy: Sendable, Hashable {
    /// The most bytes of one recording; 64 MiB.
    public var maximumBytes = 64 << 20
    /// The most bytes of an account's recordings together, those included that are still being uploaded; 2 GiB.
    public var quotaBytes = 2 << 30
    /// The most recordings of an account; 20,000.
    public var maximumCount = 20_000
    /// How long an upload may rest before it is thrown away; a week.
    public var lifetime: Duration = .seconds(7 * 86_400)

    /// The defaults.
    public init() {}
}
