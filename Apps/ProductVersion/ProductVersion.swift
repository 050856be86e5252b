// SPDX-License-Identifier: MIT

/// The version of the programs and of their packages, which Scripts/package reads here (Semantic Versioning).
public enum ProductVersion {
    /// The version that `--version` shows.
    public static let current = "0.1.0"
}
