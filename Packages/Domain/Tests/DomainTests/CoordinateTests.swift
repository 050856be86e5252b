// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct CoordinateTests {
    private let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
    private let london = Coordinate(latitude: 51.5074, longitude: -0.1278)

    @Test func knownDistances() {
        #expect(abs(paris.distance(to: london) - 343.6) < 0.5)
        let newYork = Coordinate(latitude: 40.7128, longitude: -74.0060)
        let losAngeles = Coordinate(latitude: 34.0522, longitude: -118.2437)
        #expect(abs(newYork.distance(to: losAngeles) - 3935.7) < 1)
    }

    @Test func poleToPoleIsHalfTheCircumference() {
        let north = Coordinate(latitude: 90, longitude: 0)
        let south = Coordinate(latitude: -90, longitude: 77)
        #expect(abs(north.distance(to: south) - Double.pi * 6371.0088) < 1e-6)
        let antipodes = Coordinate(latitude: -paris.latitude, longitude: paris.longitude - 180)
        #expect(abs(paris.distance(to: antipodes) - Double.pi * 6371.0088) < 1e-3)
    }

    @Test func itIsAMetric() {
        #expect(paris.distance(to: paris) == 0)
        #expect(paris.distance(to: london) == london.distance(to: paris))
        let date = Coordinate(latitude: 0, longitude: 179.5)
        #expect(abs(date.distance(to: Coordinate(latitude: 0, longitude: -179.5)) - 111.195) < 0.01)
    }
}
