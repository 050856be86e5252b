// SPDX-License-Identifier: MIT

/// What makes two vectors near.
public enum VectorMetric: Sendable, CaseIterable {
    /// The cosine of the angle between them, from -1 to 1.
    case cosine
    /// The sum of the products of their components.
    case dotProduct
}
