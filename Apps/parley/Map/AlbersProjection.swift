// SPDX-License-Identifier: MIT

import Domain
import Glibc
import TerminalKit

/// The spherical Albers equal-area conic projection (J. P. Snyder, "Map Projections: A Working Manual", USGS
/// Professional Paper 1395, 1987, §14, equations 14-1 to 14-6).
struct AlbersProjection: Sendable {
    /// The radius in kilometres of the sphere with the surface area of the WGS 84 ellipsoid, so that areas are correct.
    static let authalicRadius = 6371.0072

    /// The usual map of the contiguous states: parallels 29.5° and 45.5° N, centre 37.5° N 96° W.
    static let contiguousStates = AlbersProjection(
        parallels: (29.5, 45.5), centre: Coordinate(latitude: 37.5, longitude: -96))
    /// The usual map of Alaska: parallels 55° and 65° N, centre 50° N 154° W.
    static let alaska = AlbersProjection(parallels: (55, 65), centre: Coordinate(latitude: 50, longitude: -154))
    /// The usual map of Hawaii: parallels 8° and 18° N, centre 13° N 157° W.
    static let hawaii = AlbersProjection(parallels: (8, 18), centre: Coordinate(latitude: 13, longitude: -157))

    private let radius: Double
    private let centralMeridian: Double
    private let cone: Double
    private let constant: Double
    private let originRadius: Double

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - parallels: The latitudes without distortion, degrees north; they must not lie opposite each other.
    ///   - centre: The place that becomes (0, 0).
    ///   - radius: The radius of the sphere; results are in its unit.
    init(parallels: (Double, Double), centre: Coordinate, radius: Double = authalicRadius) {
        let first = parallels.0 * .pi / 180
        let second = parallels.1 * .pi / 180
        let cone = (sin(first) + sin(second)) / 2
        precondition(abs(cone) > 1e-9, "parallels on both sides of the equator make a cylinder, not a cone")
        self.radius = radius
        self.centralMeridian = centre.longitude
        self.cone = cone
        self.constant = cos(first) * cos(first) + 2 * cone * sin(first)
        self.originRadius = Self.distanceFromApex(
            centre.latitude, cone: cone, constant: cos(first) * cos(first) + 2 * cone * sin(first), radius: radius)
    }

    /// The position of a place, in kilometres: `x` to the east and `y` to the north of the centre. Any longitude will do,
    /// also past ±180°: the way around the Earth that is shorter from the central meridian counts.
    func project(_ place: Coordinate) -> MapPoint {
        let east = remainder(place.longitude - centralMeridian, 360)
        let distance = Self.distanceFromApex(place.latitude, cone: cone, constant: constant, radius: radius)
        let angle = cone * east * .pi / 180
        return MapPoint(x: distance * sin(angle), y: originRadius - distance * cos(angle))
    }

    private static func distanceFromApex(_ latitude: Double, cone: Double, constant: Double, radius: Double) -> Double {
        radius * max(0, constant - 2 * cone * sin(latitude * .pi / 180)).squareRoot() / cone
    }
}

/// A point of a map before or after it is laid out on a canvas.
typealias MapPoint = CanvasPoint
