// SPDX-License-Identifier: MIT

import Domain

/// Zones of places that have no zone of their own name: large cities, names of countries beside those of ISO 3166, and
/// the states of the USA.
enum PlaceTable {
    /// The zones by the place's key; see ``key(_:)``.
    static func places() -> [String: [ZonedPlace]] {
        var places: [String: [ZonedPlace]] = [:]
        for (zone, names) in cities {
            for name in names.split(separator: ",").map({ String($0.drop { $0 == " " }) }) {
                places[key(name)] = [ZonedPlace(name: name, zone: zone)]
            }
        }
        for (names, zones) in mixed {
            let list = zones.split(separator: ",").compactMap { text -> ZonedPlace? in
                let parts = text.split(separator: "=").map { String($0.drop { $0 == " " }) }
                return parts.count == 2 ? ZonedPlace(name: parts[0], zone: parts[1]) : nil
            }
            for name in names.split(separator: ",") { places[key(String(name))] = list }
        }
        return places
    }

    /// Letters and digits in lower case without accents, one blank between words, no article.
    static func key(_ name: String) -> String {
        let plain = name.utf8.allSatisfy { $0 < 128 } ? name : withoutAccents(name)
        let signs = plain.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 128...: byte
            case UInt8(ascii: "."), UInt8(ascii: "'"): nil
            default: UInt8(ascii: " ")
            }
        }
        let words = signs.split(separator: UInt8(ascii: " ")).drop { $0.elementsEqual("the".utf8) }
        return String(decoding: Array(words.joined(separator: " ".utf8)), as: UTF8.self)
    }

    private static let accents: [(accented: String, plain: Character)] = [
        ("áàâãäåā", "a"), ("éèêëē", "e"), ("íìîïīı", "i"), ("óòôõöøō", "o"), ("úùûüū", "u"), ("ç", "c"), ("ñ", "n"),
        ("’", "'"),
    ]

    private static func withoutAccents(_ name: String) -> String {
        String(name.lowercased().map { letter in accents.first { $0.accented.contains(letter) }?.plain ?? letter })
    }

    private static let cities: [(zone: String, names: String)] = [
        (
            "America/New_York",
            """
            Connecticut, Delaware, Georgia, Maine, Maryland, Massachusetts, New Hampshire, New Jersey, New York State, \
            North Carolina, Ohio, Pennsylvania, Rhode Island, South Carolina, Vermont, Virginia, West Virginia, \
            District of Columbia, Washington DC, NYC, New York City, Boston, Philadelphia, Miami, Orlando, Tampa, \
            Atlanta, Charlotte, Pittsburgh, Cleveland, Cincinnati, Columbus, Baltimore, Jacksonville, Manhattan, Brooklyn
            """
        ),
        (
            "America/Chicago",
            """
            Alabama, Arkansas, Illinois, Iowa, Louisiana, Minnesota, Mississippi, Missouri, Oklahoma, Wisconsin, \
            Houston, Dallas, Austin, San Antonio, Fort Worth, New Orleans, Minneapolis, Milwaukee, Kansas City, \
            St Louis, Saint Louis, Memphis, Nashville, Omaha, Oklahoma City
            """
        ),
        ("America/Denver", "Colorado, Montana, New Mexico, Utah, Wyoming, Albuquerque, Salt Lake City, El Paso"),
        ("America/Phoenix", "Arizona, Tucson"),
        (
            "America/Los_Angeles",
            """
            California, Nevada, Washington State, LA, San Francisco, San Diego, San Jose, Sacramento, Oakland, \
            Silicon Valley, Seattle, Portland, Las Vegas
            """
        ),
        ("Pacific/Honolulu", "Hawaii"), ("America/Toronto", "Ottawa, Montreal, Quebec, Ontario"),
        ("America/Edmonton", "Calgary, Alberta"), ("America/Vancouver", "British Columbia"),
        ("America/Sao_Paulo", "Rio de Janeiro, Rio, Brasilia"), ("America/Mexico_City", "Guadalajara"),
        ("America/Guayaquil", "Quito"), ("America/La_Paz", "Bolivia"),
        (
            "Europe/London",
            "UK, United Kingdom, Great Britain, Britain, England, Scotland, Wales, Edinburgh, Manchester"
        ),
        ("Europe/Berlin", "Munich, Hamburg, Frankfurt, Cologne"), ("Europe/Zurich", "Geneva, Bern, Basel"),
        ("Europe/Rome", "Milan, Naples, Venice, Florence"), ("Europe/Madrid", "Barcelona, Seville"),
        ("Europe/Paris", "Lyon, Marseille, Nice"), ("Europe/Amsterdam", "Holland, Rotterdam, The Hague"),
        ("Europe/Istanbul", "Ankara"), ("Europe/Moscow", "Saint Petersburg, St Petersburg"),
        ("Europe/Warsaw", "Krakow"), ("Europe/Prague", "Czechia"), ("Europe/Kyiv", "Kiev"),
        ("Asia/Shanghai", "Beijing, Shenzhen, Guangzhou"), ("Asia/Tokyo", "Osaka, Kyoto, Yokohama, Hiroshima"),
        ("Asia/Seoul", "Korea, South Korea, Busan"), ("Asia/Pyongyang", "North Korea"),
        ("Asia/Kolkata", "Mumbai, Bombay, Delhi, New Delhi, Bangalore, Bengaluru, Chennai, Hyderabad"),
        ("Asia/Dubai", "Abu Dhabi, UAE"), ("Asia/Riyadh", "Mecca, Jeddah"), ("Asia/Karachi", "Lahore, Islamabad"),
        ("Asia/Ho_Chi_Minh", "Hanoi"), ("Asia/Makassar", "Bali"),
        ("Asia/Jerusalem", "Tel Aviv"), ("Africa/Johannesburg", "Cape Town, Pretoria, Durban"),
        ("Africa/Lagos", "Abuja"), ("Africa/Casablanca", "Marrakesh, Rabat"), ("Australia/Sydney", "Canberra"),
        ("Pacific/Auckland", "Wellington, Christchurch"),
    ]

    /// Places with several zones, by the main city of each.
    private static let mixed: [(names: String, zones: String)] = [
        ("Washington", "Washington DC=America/New_York, Washington State=America/Los_Angeles"),
        (
            "US, USA, America, United States, United States of America",
            """
            New York=America/New_York, Chicago=America/Chicago, Denver=America/Denver, \
            Los Angeles=America/Los_Angeles, Anchorage=America/Anchorage, Honolulu=Pacific/Honolulu
            """
        ),
        ("Alaska", "Anchorage=America/Anchorage, Adak=America/Adak"),
        ("Florida", "Miami=America/New_York, Pensacola=America/Chicago"),
        ("Idaho", "Boise=America/Boise, Coeur d'Alene=America/Los_Angeles"),
        ("Indiana", "Indianapolis=America/Indiana/Indianapolis, Gary=America/Chicago"),
        ("Kansas", "Wichita=America/Chicago, Goodland=America/Denver"),
        ("Kentucky", "Louisville=America/Kentucky/Louisville, Bowling Green=America/Chicago"),
        ("Michigan", "Detroit=America/Detroit, Iron Mountain=America/Menominee"),
        ("Nebraska", "Omaha=America/Chicago, Scottsbluff=America/Denver"),
        ("North Dakota", "Fargo=America/Chicago, Dickinson=America/Denver"),
        ("Oregon", "Portland=America/Los_Angeles, Ontario=America/Boise"),
        ("South Dakota", "Sioux Falls=America/Chicago, Rapid City=America/Denver"),
        ("Tennessee", "Nashville=America/Chicago, Knoxville=America/New_York"),
        ("Texas", "Houston=America/Chicago, El Paso=America/Denver"),
    ]
}
