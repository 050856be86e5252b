// SPDX-License-Identifier: MIT

/// The units that are known, with the words for each: exact factors, US customary sizes of cups, pints and gallons.
struct UnitTable: Sendable {
    /// The units that some words stand for: an ounce is a mass and a volume, a degree Fahrenheit or Celsius.
    private let units: [String: [UnitOfMeasure]]
    /// The most tokens that a unit's words have.
    private let longest: Int
    /// The units' names in full.
    private let names: Set<String>

    init() {
        var units: [String: [UnitOfMeasure]] = [:]
        for (unit, words) in Self.rows {
            let written = words.split(separator: ",").map { $0.trimmingBlanks }
            for word in Set(written + [unit.name.lowercased(), unit.pluralName.lowercased()]) {
                units[word, default: []].append(unit)
            }
        }
        self.units = units
        names = Set(Self.rows.flatMap { [$0.0.name.lowercased(), $0.0.pluralName.lowercased()] })
        longest = units.keys.map { $0.split(separator: " ").count }.max() ?? 1
    }

    /// The units that the longest words at `start` stand for, and the index after them.
    func read(_ tokens: [TextToken], at start: Int) -> (units: [UnitOfMeasure], end: Int)? {
        for count in stride(from: min(longest, tokens.count - start), to: 0, by: -1) {
            let words = tokens[start..<start + count].map(\.text).joined(separator: " ")
            if let found = units[words] { return (found, start + count) }
        }
        return nil
    }

    /// True for an abbreviation of at most three letters, which may mean something else: "10k", "5 c".
    func isShort(_ token: TextToken) -> Bool {
        token.kind == .word && token.text.utf8.count <= 3 && !names.contains(token.text)
    }

    /// Amounts with units ("5 feet 11 inches", "a mile", "1/2 cup") and the index after them: one for each meaning.
    func readQuantity(_ tokens: [TextToken], at start: Int) -> (quantities: [Quantity], end: Int)? {
        guard var amount = NumberReader.count(tokens, at: start) else { return nil }
        if tokens.has("of", at: amount.end), tokens.has("a", at: amount.end + 1) { amount.end += 2 }
        guard let first = read(tokens, at: amount.end) else { return nil }
        var quantities = first.units.map { Quantity(amount.value, $0) }
        var end = first.end
        let next = tokens.has("and", at: end) ? end + 1 : end
        if first.units[0].name == "foot", let inches = Int(tokens.text(end)), inches < 12,
            read(tokens, at: end + 1).map({ tokens[end + 1].text == "in" && read(tokens, at: $0.end) != nil }) != false
        {
            // "5 foot 9", also before "in cm".
            return ([Quantity(amount.value + ExactNumber(inches, over: 12), first.units[0])], end + 1)
        }
        if let more = NumberReader.unsigned(tokens, at: next), let small = read(tokens, at: more.end) {
            let sums = quantities.compactMap { quantity in
                small.units.lazy.compactMap { Quantity(more.value, $0) }
                    .first { $0.unit.dimension == quantity.unit.dimension && $0.unit.factor < quantity.unit.factor }?
                    .converted(to: quantity.unit).map { Quantity(quantity.amount + $0.amount, quantity.unit) }
            }
            if !sums.isEmpty, sums.allSatisfy({ $0.unit.dimension != .temperature }) {
                quantities = sums
                end = small.end
            }
        }
        return (quantities, end)
    }

    private static func unit(
        _ dimension: UnitOfMeasure.Dimension, _ name: String, _ plural: String, _ factor: ExactNumber, _ words: String
    ) -> (UnitOfMeasure, String) { (UnitOfMeasure(dimension, name, plural, factor), words) }

    private static func ratio(_ top: Int, _ bottom: Int) -> ExactNumber { ExactNumber(top, over: bottom) }

    private static let rows: [(UnitOfMeasure, String)] = [
        // Meters.
        unit(.length, "millimeter", "millimeters", ratio(1, 1000), "mm, millimetre, millimetres"),
        unit(.length, "centimeter", "centimeters", ratio(1, 100), "cm, centimetre, centimetres, cms"),
        unit(.length, "meter", "meters", ratio(1, 1), "m, metre, metres"),
        unit(.length, "kilometer", "kilometers", ratio(1000, 1), "km, kilometre, kilometres, kms, k m, klicks"),
        unit(.length, "inch", "inches", ratio(254, 10_000), "in"),
        unit(.length, "foot", "feet", ratio(3048, 10_000), "ft"),
        unit(.length, "yard", "yards", ratio(9144, 10_000), "yd, yds"),
        unit(.length, "mile", "miles", ratio(1_609_344, 1000), "mi"),
        unit(.length, "nautical mile", "nautical miles", ratio(1852, 1), "nmi"),
        unit(.length, "light year", "light years", ExactNumber(9_460_730_472_580_800), "lightyear, lightyears"),
        // Grams.
        unit(.mass, "milligram", "milligrams", ratio(1, 1000), "mg, milligramme, milligrammes"),
        unit(.mass, "gram", "grams", ratio(1, 1), "g, gramme, grammes"),
        unit(.mass, "kilogram", "kilograms", ratio(1000, 1), "kg, kilo, kilos, kgs, kilogramme, kilogrammes"),
        unit(.mass, "metric ton", "metric tons", ratio(1_000_000, 1), "tonne, tonnes, t"),
        unit(.mass, "ounce", "ounces", ratio(28_349_523_125, 1_000_000_000), "oz"),
        unit(.mass, "pound", "pounds", ratio(45_359_237, 100_000), "lb, lbs"),
        unit(.mass, "stone", "stone", ratio(635_029_318, 100_000), "stones"),
        unit(.mass, "ton", "tons", ratio(90_718_474, 100), "short ton, short tons"),
        // Milliliters.
        unit(.volume, "milliliter", "milliliters", ratio(1, 1), "ml, millilitre, millilitres"),
        unit(.volume, "centiliter", "centiliters", ratio(10, 1), "cl, centilitre, centilitres"),
        unit(.volume, "deciliter", "deciliters", ratio(100, 1), "dl, decilitre, decilitres"),
        unit(.volume, "liter", "liters", ratio(1000, 1), "l, litre, litres"),
        unit(.volume, "cubic meter", "cubic meters", ratio(1_000_000, 1), "cubic metre, cubic metres"),
        unit(.volume, "teaspoon", "teaspoons", ratio(492_892_159_375, 100_000_000_000), "tsp, tsps"),
        unit(.volume, "tablespoon", "tablespoons", ratio(1_478_676_478_125, 100_000_000_000), "tbsp, tbsps"),
        unit(
            .volume, "fluid ounce", "fluid ounces", ratio(295_735_295_625, 10_000_000_000),
            "fl oz, ounce, ounces, oz"),
        unit(.volume, "cup", "cups", ratio(2_365_882_365, 10_000_000), ""),
        unit(.volume, "pint", "pints", ratio(473_176_473, 1_000_000), "pt"),
        unit(.volume, "quart", "quarts", ratio(946_352_946, 1_000_000), "qt, qts"),
        unit(.volume, "gallon", "gallons", ratio(3_785_411_784, 1_000_000), "gal, gals"),
        // Kelvins.
        (
            UnitOfMeasure(.temperature, "degree Celsius", "degrees Celsius", ratio(1, 1), offset: ratio(27_315, 100)),
            "c, celsius, centigrade, celcius, degrees centigrade, degree, degrees, degrees c"
        ),
        (
            UnitOfMeasure(
                .temperature, "degree Fahrenheit", "degrees Fahrenheit", ratio(5, 9), offset: ratio(45_967, 100)),
            "f, fahrenheit, farenheit, degree, degrees, degrees f, degrees farenheit"
        ),
        unit(.temperature, "kelvin", "kelvin", ratio(1, 1), "k, kelvins, degrees kelvin"),
        // Meters per second.
        unit(.speed, "meter per second", "meters per second", ratio(1, 1), "m / s, metres per second, mps"),
        unit(
            .speed, "kilometer per hour", "kilometers per hour", ratio(5, 18),
            "km / h, kph, kmh, kilometres per hour, km per hour, kilometers an hour, kilometres an hour"),
        unit(.speed, "mile per hour", "miles per hour", ratio(44_704, 100_000), "mph, mi / h, miles an hour"),
        unit(.speed, "foot per second", "feet per second", ratio(3048, 10_000), "ft / s"),
        unit(.speed, "knot", "knots", ratio(1852, 3600), "kt, kts"),
        // Square meters.
        unit(.area, "square centimeter", "square centimeters", ratio(1, 10_000), "cm squared, sq cm"),
        unit(.area, "square meter", "square meters", ratio(1, 1), "m squared, sq m, square metre, square metres, sqm"),
        unit(
            .area, "square kilometer", "square kilometers", ratio(1_000_000, 1),
            "km squared, sq km, square kilometre, square kilometres, square km"),
        unit(.area, "square inch", "square inches", ratio(64_516, 100_000_000), "sq in"),
        unit(.area, "square foot", "square feet", ratio(9_290_304, 100_000_000), "sq ft, sqft, ft squared"),
        unit(.area, "square yard", "square yards", ratio(83_612_736, 100_000_000), "sq yd"),
        unit(.area, "acre", "acres", ratio(40_468_564_224, 10_000_000), ""),
        unit(.area, "hectare", "hectares", ratio(10_000, 1), "ha"),
        unit(.area, "square mile", "square miles", ratio(2_589_988_110_336, 1_000_000), "sq mi"),
        // Seconds; a year of 365 days.
        unit(.time, "millisecond", "milliseconds", ratio(1, 1000), "ms"),
        unit(.time, "second", "seconds", ratio(1, 1), "sec, secs, s"),
        unit(.time, "minute", "minutes", ratio(60, 1), "min, mins"),
        unit(.time, "hour", "hours", ratio(3600, 1), "hr, h"),
        unit(.time, "day", "days", ratio(86_400, 1), ""),
        unit(.time, "week", "weeks", ratio(604_800, 1), ""),
        unit(.time, "year", "years", ratio(31_536_000, 1), ""),
        // Bytes: kilo is 1000, kibi 1024.
        unit(.data, "bit", "bits", ratio(1, 8), ""),
        unit(.data, "byte", "bytes", ratio(1, 1), ""),
        unit(.data, "kilobyte", "kilobytes", ratio(1000, 1), "kb"),
        unit(.data, "megabyte", "megabytes", ratio(1_000_000, 1), "mb, megs"),
        unit(.data, "gigabyte", "gigabytes", ratio(1_000_000_000, 1), "gb, gigs"),
        unit(.data, "terabyte", "terabytes", ratio(1_000_000_000_000, 1), "tb"),
        unit(.data, "kibibyte", "kibibytes", ratio(1024, 1), "kib"),
        unit(.data, "mebibyte", "mebibytes", ratio(1_048_576, 1), "mib"),
        unit(.data, "gibibyte", "gibibytes", ratio(1_073_741_824, 1), "gib"),
        unit(.data, "megabit", "megabits", ratio(125_000, 1), "mbit"),
        unit(.data, "gigabit", "gigabits", ratio(125_000_000, 1), "gbit"),
    ]
}

extension Substring {
    fileprivate var trimmingBlanks: String { String(drop { $0 == " " }) }
}
