// SPDX-License-Identifier: MIT

/// A unit of measure.
public struct UnitOfMeasure: Hashable, Sendable {
    /// A quantity that units measure; units of one dimension can be converted.
    public enum Dimension: String, CaseIterable, Sendable {
        case length, mass, volume, temperature, speed, area, time, data
    }

    /// The unit's dimension.
    public let dimension: Dimension
    /// The name of one ("mile", "degree Celsius").
    public let name: String
    /// The name of several ("miles", "degrees Celsius").
    public let pluralName: String
    /// The size in the dimension's base unit.
    let factor: ExactNumber
    /// Added before the factor is applied; 0 except for temperatures.
    let offset: ExactNumber

    init(
        _ dimension: Dimension, _ name: String, _ pluralName: String, _ factor: ExactNumber,
        offset: ExactNumber = ExactNumber(0)
    ) {
        self.dimension = dimension
        self.name = name
        self.pluralName = pluralName
        self.factor = factor
        self.offset = offset
    }
}

/// A number of a unit.
public struct Quantity: Hashable, Sendable {
    /// The number.
    public let amount: ExactNumber
    /// The unit.
    public let unit: UnitOfMeasure

    /// Makes a quantity.
    public init(_ amount: ExactNumber, _ unit: UnitOfMeasure) {
        self.amount = amount
        self.unit = unit
    }

    /// The same quantity in another unit; nil if that has another dimension.
    public func converted(to other: UnitOfMeasure) -> Quantity? {
        guard unit.dimension == other.dimension else { return nil }
        let base = (amount + unit.offset) * unit.factor
        return (base / other.factor).map { Quantity($0 - other.offset, other) }
    }
}
