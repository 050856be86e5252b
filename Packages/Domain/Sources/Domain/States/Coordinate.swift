// SPDX-License-Identifier: MIT

import Glibc

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
