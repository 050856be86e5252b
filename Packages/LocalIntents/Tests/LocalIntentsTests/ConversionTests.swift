// SPDX-License-Identifier: MIT

import Testing

@testable import LocalIntents

@Suite struct ConversionTests {
    private func conversion(_ text: String) throws -> String {
        guard case .convert(let quantity, to: let unit)? = IntentReader().read(text)?.intent else { return "nil" }
        return quantity.converted(to: unit).map { "\($0.amount) \($0.unit.pluralName)" } ?? "other dimension"
    }

    @Test(arguments: [
        ("12 in in cm", "30.48 centimeters"), ("how many in are in 5 ft", "60 inches"),
        ("how many feet in 2 miles", "10560 feet"),
        ("8 oz in grams", "226.796185 grams"), ("8 oz in ml", "236.5882365 milliliters"),
        ("how many ounces in a pint", "16 fluid ounces"),
        ("how many ounces in a kilogram", "35.2739619496 ounces"), ("100 c to f", "212 degrees Fahrenheit"),
        ("how many kelvin is 0 degrees celsius", "273.15 kelvin"),
        ("72 degrees in celsius", "22.2222222222 degrees Celsius"),
        ("1/2 cup in tablespoons", "8 tablespoons"), ("5 foot 9 in cm", "175.26 centimeters"),
        ("6 feet 2 inches in meters", "1.8796 meters"), ("2 pounds 3 ounces in grams", "992.233309375 grams"),
        ("5 miles in kilograms", "other dimension"), ("1 sq mi in acres", "640 acres"),
        ("90 minutes in hours", "1.5 hours"),
        ("1 gib in mib", "1024 mebibytes"), ("100 km/h in mph", "62.1371192237 miles per hour"),
        ("a mile in yards", "1760 yards"),
        ("how many cubic meters in 5000 liters", "5 cubic meters"), ("10 gb in gigs", "10 gigabytes"),
    ]) func `quantities are converted`(text: String, expected: String) throws {
        #expect(try conversion(text).hasPrefix(expected))
    }

    @Test(arguments: [
        "how many miles in 10k", "10k in miles", "5 c in meters", "3 g in hours", "20 t in miles", "5 miles in c",
    ]) func `an abbreviation of another dimension is no unit`(text: String) throws {
        #expect(try conversion(text) == "nil")
    }

    @Test func `every unit is converted into every other of its dimension and back`() throws {
        let units = Set(
            UnitTableTests.words.compactMap { word in
                TextTokeniser.tokens(of: word).flatMap { UnitTable().read($0, at: 0)?.units }
            }.flatMap { $0 })
        #expect(Set(units.map(\.dimension)) == Set(UnitOfMeasure.Dimension.allCases))
        for unit in units {
            for other in units {
                let quantity = Quantity(ExactNumber(7), unit)
                let back = quantity.converted(to: other)?.converted(to: unit)
                #expect((back == nil) == (unit.dimension != other.dimension))
                if let back { #expect(abs(back.amount.doubleValue - 7) < 1e-9, "\(unit.name) → \(other.name)") }
            }
        }
    }
}

private enum UnitTableTests {
    static let words = [
        "mm", "cm", "m", "km", "in", "ft", "yd", "mi", "nmi", "light years", "mg", "g", "kg", "tonne", "oz", "lb",
        "stone",
        "ton", "ml", "cl", "dl", "l", "cubic meter", "tsp", "tbsp", "fl oz", "cup", "pint", "quart", "gallon", "c", "f",
        "k",
        "mps", "kph", "mph", "ft/s", "knots", "sq cm", "sq m", "sq km", "sq in", "sq ft", "sq yd", "acre", "hectare",
        "sq mi", "ms", "s", "min", "hour", "day", "week", "year", "bit", "byte", "kb", "mb", "gb", "tb", "kib", "mib",
        "gib", "megabit", "gigabit",
    ]
}
