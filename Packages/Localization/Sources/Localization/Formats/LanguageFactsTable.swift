// SPDX-License-Identifier: MIT

/// The facts of one language: how it writes numbers, dates, units and lists.
///
/// Source: Unicode CLDR 46, `common/main/{en,de,es,ar,ja}.xml`, and those of the regions named in ``of(_:)`` for digits and separators.
/// Units and months are the wide ones, sizes the short ones. The tests compare with the ICU 76 of Swift's Foundation, which has
/// CLDR 46 with changes of Apple's; one of these is here, too: Japanese durations without a space.
struct LanguageFacts: Sendable {
    /// Patterns that have `{0}` for their number.
    typealias Patterns = [String]

    var decimalPoint = "."
    var grouping = ","
    /// The digits in front of the last three from which on groups are separated.
    var minimumGrouping = 1
    var minus = "-"
    /// The pattern of a percentage.
    var percent = "{0}%"
    /// The digit zero, followed by the others in Unicode.
    var zero: Unicode.Scalar = "0"
    var months: [String] = []
    /// `{y}`, `{m}` (a month's name) and `{d}`.
    let longDate: String
    /// `{y}`, `{m}` and `{d}` as numbers.
    let numericDate: String
    /// `{h}` and `{mm}`; a clock of twelve hours where ``dayHalves`` are.
    let time: String
    var dayHalves: [String] = []
    /// Days, hours, minutes and seconds by plural category.
    let durations: [Patterns]
    /// Bytes by plural category, then kB, MB, GB and TB.
    let bytes: Patterns
    let sizes: Patterns
    /// The separators of two, between the first of more, and before the last.
    let list: (two: String, middle: String, last: String)
    let durationList: (two: String, middle: String, last: String)
    /// The index of a whole number's category in the patterns.
    let category: @Sendable (UInt) -> Int

    static let english = LanguageFacts(
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ],
        longDate: "{m} {d}, {y}", numericDate: "{m}/{d}/{y}", time: "{h}:{mm}\u{202F}{a}", dayHalves: ["AM", "PM"],
        durations: [
            ["{0} day", "{0} days"], ["{0} hour", "{0} hours"], ["{0} minute", "{0} minutes"],
            ["{0} second", "{0} seconds"],
        ],
        bytes: ["{0} byte", "{0} bytes"], sizes: ["{0} kB", "{0} MB", "{0} GB", "{0} TB"],
        list: (" and ", ", ", ", and "), durationList: (", ", ", ", ", "), category: { $0 == 1 ? 0 : 1 })

    static let german = LanguageFacts(
        decimalPoint: ",", grouping: ".", percent: "{0}\u{A0}%",
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ],
        longDate: "{d}. {m} {y}", numericDate: "{d}.{m}.{y}", time: "{hh}:{mm}",
        durations: [
            ["{0} Tag", "{0} Tage"], ["{0} Stunde", "{0} Stunden"], ["{0} Minute", "{0} Minuten"],
            ["{0} Sekunde", "{0} Sekunden"],
        ],
        bytes: ["{0} Byte", "{0} Byte"], sizes: ["{0} kB", "{0} MB", "{0} GB", "{0} TB"],
        list: (" und ", ", ", " und "), durationList: (" und ", ", ", " und "), category: { $0 == 1 ? 0 : 1 })

    static let spanish = LanguageFacts(
        decimalPoint: ",", grouping: ".", minimumGrouping: 2, percent: "{0}\u{A0}%",
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ],
        longDate: "{d} de {m} de {y}", numericDate: "{d}/{m}/{y}", time: "{h}:{mm}",
        durations: [
            ["{0} día", "{0} días"], ["{0} hora", "{0} horas"], ["{0} minuto", "{0} minutos"],
            ["{0} segundo", "{0} segundos"],
        ],
        bytes: ["{0} byte", "{0} bytes"], sizes: ["{0} kB", "{0} MB", "{0} GB", "{0} TB"],
        list: (" y ", ", ", " y "), durationList: (" y ", ", ", " y "), category: { $0 == 1 ? 0 : 1 })

    /// CLDR's digits of plain Arabic are Latin; those of most regions are Arabic-Indic (``LanguageFacts/of(_:)``).
    static let arabic = LanguageFacts(
        minus: "\u{200E}-", percent: "{0}\u{200E}%\u{200E}",
        months: [
            "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
            "ديسمبر",
        ],
        longDate: "{d} {m} {y}", numericDate: "{d}\u{200F}/{m}\u{200F}/{y}", time: "{h}:{mm} {a}",
        dayHalves: ["ص", "م"],
        durations: [
            ["{0} يوم", "يوم", "يومان", "{0} أيام", "{0} يومًا", "{0} يوم"],
            ["{0} ساعة", "ساعة", "ساعتان", "{0} ساعات", "{0} ساعة", "{0} ساعة"],
            ["{0} دقيقة", "دقيقة", "دقيقتان", "{0} دقائق", "{0} دقيقة", "{0} دقيقة"],
            ["{0} ثانية", "ثانية", "ثانيتان", "{0} ثوان", "{0} ثانية", "{0} ثانية"],
        ],
        bytes: Patterns(repeating: "{0} بايت", count: 6),
        sizes: ["{0} كيلوبايت", "{0} م.ب", "{0} غ.ب", "{0} تيرابايت"],
        list: (" و", " و", " و"), durationList: (" و", "، ", "، و"),
        category: { number in
            switch (number, number % 100) {
            case (0...2, _): Int(number)
            case (_, 3...10): 3
            case (_, 11...99): 4
            default: 5
            }
        })

    static let japanese = LanguageFacts(
        months: (1...12).map { "\($0)月" }, longDate: "{y}年{m}{d}日", numericDate: "{y}/{m}/{d}", time: "{h}:{mm}",
        durations: [["{0}日"], ["{0}時間"], ["{0}分"], ["{0}秒"]],
        bytes: ["{0} バイト"], sizes: ["{0} KB", "{0} MB", "{0} GB", "{0} TB"],
        list: ("、", "、", "、"), durationList: (" ", " ", " "), category: { _ in 0 })

    /// The facts of a language, with the digits and separators of its region; English for a language that is not here.
    static func of(_ language: Language) -> LanguageFacts {
        let region = language.region ?? ""
        switch language.code {
        case "de":
            guard ["CH", "LI"].contains(region) else { return german }
            var facts = german
            (facts.decimalPoint, facts.grouping, facts.percent) = (".", "’", "{0}%")
            return facts
        case "es":
            var facts = spanish
            if ["419", "BR", "BZ", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"].contains(region) {
                (facts.decimalPoint, facts.grouping, facts.minimumGrouping, facts.percent) = (".", ",", 1, "{0}%")
            }
            return facts
        case "ar":
            var facts = arabic
            if ["DZ", "LY", "MA", "TN"].contains(region) { (facts.decimalPoint, facts.grouping) = (",", ".") }
            if [
                "BH", "DJ", "EG", "ER", "IL", "IQ", "JO", "KM", "KW", "LB", "MR", "OM", "PS", "QA", "SA", "SD", "SO",
                "SS",
                "SY", "TD", "YE",
            ].contains(region) {
                (facts.decimalPoint, facts.grouping, facts.zero) = ("٫", "٬", "٠")
                (facts.minus, facts.percent) = ("\u{61C}-", "{0}٪\u{61C}")
            }
            return facts
        case "ja": return japanese
        default: return english
        }
    }
}
