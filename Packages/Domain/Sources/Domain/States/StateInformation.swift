// SPDX-License-Identifier: MIT

import Glibc

/// The facts of one US state (or of the District of Columbia).
public struct StateInformation: Sendable, Hashable, Identifiable {
    /// The usual English name, "Texas".
    public let name: String
    /// The two-letter postal abbreviation (ANSI INCITS 38), "TX".
    public let abbreviation: String
    /// The seat of government.
    public let capital: String
    /// The official bird.
    public let bird: String?
    /// The official flower.
    public let flower: String?
    /// The city with the most inhabitants (census of 2020).
    public let largestCity: String
    /// The day of admission to the Union (for the first thirteen: of ratifying the Constitution); `nil` for the
    /// District of Columbia, which is not a state.
    public let admission: CalendarDate?
    /// Latitude of the geographic centre, degrees north (WGS 84), to about a tenth of a degree.
    public let centerLatitude: Double
    /// Longitude of the geographic centre, degrees east (WGS 84; negative here), to about a tenth of a degree.
    public let centerLongitude: Double

    /// Makes a record.
    public init(
        name: String, abbreviation: String, capital: String, bird: String?, flower: String?, largestCity: String,
        admission: CalendarDate?, centerLatitude: Double, centerLongitude: Double
    ) {
        self.name = name
        self.abbreviation = abbreviation
        self.capital = capital
        self.bird = bird
        self.flower = flower
        self.largestCity = largestCity
        self.admission = admission
        self.centerLatitude = centerLatitude
        self.centerLongitude = centerLongitude
    }

    /// The abbreviation, which is unique.
    public var id: String { abbreviation }

    /// The geographic centre.
    public var center: Coordinate { Coordinate(latitude: centerLatitude, longitude: centerLongitude) }
}

/// A place on the Earth (WGS 84).
public struct Coordinate: Sendable, Hashable {
    /// Degrees north, from −90 to 90.
    public let latitude: Double
    /// Degrees east, from −180 to 180.
    public let longitude: Double

    /// Makes a place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The great-circle distance in kilometres, by the haversine formula on a sphere of the IUGG mean radius
    /// (6,371.0088 km); within 0.6% of the ellipsoidal distance.
    public func distance(to other: Coordinate) -> Double {
        let radius = 6371.0088
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let haversine =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * radius * asin(min(1, haversine.squareRoot()))
    }
}
