// SPDX-License-Identifier: MIT

import Foundation
import Localization
import Testing

/// Foundation has the rules of CLDR by ICU. Only tests may load it (ADR 0007).
struct FormatTests {
    private static let tags = [
        "en", "en-US", "de", "de-DE", "de-AT", "de-CH", "de-LI", "es", "es-ES", "es-MX", "es-419", "es-US", "ja",
        "ja-JP", "ar", "ar-EG",
        "ar-SA", "ar-AE", "ar-MA",
    ]
    /// All regions whose digits or separators are not their language's.
    private static let regions =
        ["BR", "BZ", "CU", "DO", "GT", "HN", "NI", "PA", "PE", "PR", "SV"].map { "es-" + $0 }
        + [
            "DZ", "LY", "TN", "BH", "DJ", "ER", "IL", "IQ", "JO", "KM", "KW", "LB", "MR", "OM", "PS", "QA", "SD", "SO",
            "SS", "SY",
            "TD", "YE",
        ].map { "ar-" + $0 }

    private func format(_ tag: String) throws -> LanguageFormat { LanguageFormat(try #require(Language(tag))) }

    @Test(arguments: tags + regions)
    func `numbers equal ICU's`(tag: String) throws {
        let (format, locale) = (try format(tag), Locale(identifier: tag))
        for number in [0, 7, -7, 999, 1000, -1234, 9999, 10_000, 123_456, 1_234_567, Int.max, Int.min] {
            #expect(format.number(number) == number.formatted(.number.locale(locale)))
        }
        for number in [
            0, 0.5, 1.5, 2.5, 2.675, 0.125, 9.995, 999.95, 1234.5678, 99_999.999, -0.004, -12.3, 1e-7, 123_456_789.25,
        ] {
            for digits in 0...3 {
                let style = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(digits)).locale(locale)
                // ICU keeps the sign of a negative number that is rounded to zero.
                let expected = number.formatted(style)
                let isZero =
                    number < 0
                    && !expected.unicodeScalars.contains { ("1"..."9").contains($0) || ("١"..."٩").contains($0) }
                let ours = format.decimal(number, fractionDigits: digits)
                #expect(isZero ? expected.hasSuffix(ours) : ours == expected, "\(number) \(digits)")
            }
        }
        for share in [0, 0.45, 1, 0.005, 0.015, 12.345, -0.5] {
            let style = FloatingPointFormatStyle<Double>.Percent.percent.precision(.fractionLength(0)).locale(locale)
            #expect(format.percent(share) == share.formatted(style), "\(share)")
        }
    }

    @Test(arguments: tags)
    func `lists equal ICU's`(tag: String) throws {
        let (format, locale) = (try format(tag), Locale(identifier: tag))
        let isolates: Set<Unicode.Scalar> = ["\u{2068}", "\u{2069}"]
        for items in [
            [], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["agua", "hielo"], ["a", "Ignacio"],
            ["b", "hija"],
        ] {
            // ICU isolates foreign items in Arabic; here the caller knows which are foreign.
            let expected = items.formatted(.list(type: .and).locale(locale)).unicodeScalars.filter {
                !isolates.contains($0)
            }
            #expect(format.list(items) == String(String.UnicodeScalarView(expected)))
        }
    }

    @Test(arguments: tags)
    func `dates and times equal ICU's`(tag: String) throws {
        let (format, locale) = (try format(tag), Locale(identifier: tag))
        // CLDR's dates of these regions differ from their language's.
        let isUsual = !["de-AT", "es-419", "es-US", "ar-MA", "ar-AE", "es-MX"].contains(tag)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for month in 1...12 where isUsual {
            for (day, hour, minute) in [(1, 0, 0), (9, 9, 5), (28, 12, 30), (28, 13, 59)] {
                let parts = DateComponents(year: 2026, month: month, day: day, hour: hour, minute: minute)
                let date = try #require(calendar.date(from: parts))
                func theirs(_ day: Date.FormatStyle.DateStyle, _ time: Date.FormatStyle.TimeStyle) -> String {
                    Date.FormatStyle(date: day, time: time, locale: locale, calendar: calendar, timeZone: .gmt).format(
                        date)
                }
                #expect(format.numericDate(year: 2026, month: month, day: day) == theirs(.numeric, .omitted))
                // Apple's changes: CLDR 46 has a space in Arabic times, 09:05 in German, and no comma in Arabic dates.
                var time = theirs(.omitted, .shortened).replacing("\u{A0}", with: " ")
                if tag.hasPrefix("de"), time.utf8.count == 4 { time = "0" + time }
                #expect(format.time(hour: hour, minute: minute) == time)
                let long = theirs(.long, .omitted).replacing("\u{60C}", with: "")
                #expect(format.date(year: 2026, month: month, day: day) == long)
            }
        }
    }

    // Saudi Arabia spells a vowel more.
    @Test(arguments: tags.filter { $0 != "ar-SA" })
    func `durations equal ICU's`(tag: String) throws {
        let (format, locale) = (try format(tag), Locale(identifier: tag))
        let numbers = [0, 1, 2, 3, 10, 11, 59]
        let all = numbers.flatMap { [$0, $0 * 60, $0 * 3601, $0 * 86_400 + 7320] } + [93_784]
        for seconds in all {
            let style = Duration.UnitsFormatStyle.units(allowed: [.days, .hours, .minutes, .seconds], width: .wide)
            #expect(
                format.duration(.seconds(seconds), maximumUnits: 4)
                    == Duration.seconds(seconds).formatted(style.locale(locale)))
        }
    }

    @Test(
        arguments: [
            (3599.4, 2, "59 minutes, 59 seconds"), (3599.5, 2, "1 hour"), (3599, 1, "1 hour"), (86_399, 2, "1 day"),
            (5400, 1, "2 hours"),
            (90.4, 1, "2 minutes"), (89, 1, "1 minute"), (0.4, 2, "0 seconds"), (-61, 2, "1 minute, 1 second"),
            (61, 0, "1 minute"),
            (90_061, 99, "1 day, 1 hour, 1 minute, 1 second"), (9e15, 2, "104,166,666,666 days, 16 hours"),
        ] as [(Double, Int, String)])
    func `durations round to their last unit`(seconds: Double, units: Int, text: String) {
        let shown = LanguageFormat(.english).duration(.seconds(seconds), maximumUnits: units)
        #expect(shown == text)
    }

    @Test(arguments: [
        ("en", 0, "0 bytes"), ("en", 1, "1 byte"), ("en", 999, "999 bytes"), ("en", 1000, "1 kB"), ("en", 1049, "1 kB"),
        ("en", 1050, "1.1 kB"), ("en", 9949, "9.9 kB"), ("en", 9950, "10 kB"), ("en", 999_499, "999 kB"),
        ("en", 999_500, "1 MB"),
        ("en", 1_500_000_000, "1.5 GB"), ("en", -2000, "-2 kB"), ("en", .max, "9,223,372 TB"),
        ("en", .min, "-9,223,372 TB"),
        ("de", 1_500_000, "1,5 MB"), ("de", 1, "1 Byte"), ("es", 1_500_000, "1,5 MB"), ("ja", 2048, "2 KB"),
        ("ja", 5, "5 バイト"),
        ("ar", 1_500_000, "1.5 م.ب"), ("ar-EG", 1_500_000, "١٫٥ م.ب"), ("ar", 5, "5 بايت"),
    ])
    func `sizes have the language's units`(tag: String, bytes: Int, text: String) throws {
        #expect(try format(tag).byteCount(bytes) == text)
    }

    @Test func `values out of range do not trap`() throws {
        let format = LanguageFormat(.english)
        #expect(format.date(year: 2026, month: 13, day: 1) == "2026-13-01")
        #expect(format.numericDate(year: -1, month: 0, day: .max) == "00-1-00-\(Int.max)")
        #expect(format.time(hour: 24, minute: .min) == "24:\(Int.min)")
        #expect(format.decimal(.nan, fractionDigits: 2) == "NaN")
        #expect(format.decimal(-.infinity, fractionDigits: 2) == "-∞")
        #expect(format.decimal(.greatestFiniteMagnitude, fractionDigits: 99).hasPrefix("179,769,313,486,231,570,000,"))
        #expect(format.decimal(.leastNonzeroMagnitude, fractionDigits: -1) == "0")
        #expect(LanguageFormat(try #require(Language("fr"))).number(1234) == "1,234")
        _ = format.duration(Duration(secondsComponent: .min, attosecondsComponent: .min))
        _ = format.duration(Duration(secondsComponent: .max, attosecondsComponent: .max))
    }
}
