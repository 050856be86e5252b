// SPDX-License-Identifier: MIT

import Domain
import TerminalKit
import Testing

@testable import StateKnowledge
@testable import parley

@Suite struct MapPictureTests {
    /// The numerical example of Snyder (1987), page 291: a sphere of radius 1, 35° N 75° W seen from 23° N 96° W.
    @Test func projectionGivesTheExampleOfItsSource() {
        let projection = AlbersProjection(
            parallels: (29.5, 45.5), centre: Coordinate(latitude: 23, longitude: -96), radius: 1)
        let point = projection.project(Coordinate(latitude: 35, longitude: -75))
        #expect(abs(point.x - 0.2952720) < 5e-7)
        #expect(abs(point.y - 0.2416774) < 5e-7)
    }

    @Test func projectionTakesLongitudesPastTheAntimeridian() {
        let east = AlbersProjection.alaska.project(Coordinate(latitude: 52.9, longitude: 172.9))
        let west = AlbersProjection.alaska.project(Coordinate(latitude: 52.9, longitude: -187.1))
        #expect(abs(east.x - west.x) < 1e-6 && abs(east.y - west.y) < 1e-6)
        #expect(east.x < 0)
    }

    @Test func everythingIsOnTheSheetAndNothingOverlaps() throws {
        let picture = MapPicture(marking: StateTable.rows)
        #expect(picture.shapes.count == 51)
        #expect(picture.markers.count == 51)
        for shape in picture.shapes {
            let isOnSheet = shape.rings.joined().allSatisfy { point in
                (0...1).contains(point.x) && (0...picture.height).contains(point.y)
            }
            #expect(isOnSheet, "\(shape.id)")
        }
        for point in picture.markers.map(\.point) + picture.insetFrames.joined() {
            #expect((-1e-9...1 + 1e-9).contains(point.x) && (0...picture.height + 1e-9).contains(point.y))
        }
        // The insets stay clear of the other states, and of the lines around them.
        let inset = picture.shapes.filter { ["AK", "HI"].contains($0.id) }
        let others = picture.shapes.filter { !["AK", "HI"].contains($0.id) }
        let corners = inset.flatMap { $0.rings.flatMap { $0 } }
        for (index, point) in corners.enumerated() where index.isMultiple(of: 10) {
            #expect(!others.contains { Geometry.isInside(point, $0.rings) })
        }
        for frame in picture.insetFrames {
            for (start, end) in zip(frame, frame.dropFirst()) {
                for step in 0...20 {
                    let part = Double(step) / 20
                    let point = MapPoint(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
                    #expect(!picture.shapes.contains { Geometry.isInside(point, $0.rings) })
                }
            }
        }
    }

    @Test func parallelsAreCurvedAndTheSameForBothNeighbours() throws {
        let picture = MapPicture(marking: [])
        let colorado = try #require(picture.shapes.first { $0.id == "CO" }).rings.joined()
        let kansas = try #require(picture.shapes.first { $0.id == "KS" }).rings.joined()
        #expect(colorado.count > 12)
        // Where they meet, 102° W, both have the same corners.
        #expect(colorado.filter { kansas.contains($0) }.count >= 2)
        let nebraska = try #require(picture.shapes.first { $0.id == "NE" }).rings.joined()
        #expect(kansas.filter { nebraska.contains($0) }.count >= 6)
    }

    @Test func marksEachStateOnceInTheOrderAskedFor() throws {
        let texas = try #require(StateTable.rows.first { $0.id == "TX" })
        let ohio = try #require(StateTable.rows.first { $0.id == "OH" })
        let picture = MapPicture(marking: [texas, ohio, texas])
        #expect(picture.markers.map(\.state.id) == ["TX", "OH"])
        #expect(picture.shapes.filter(\.isMarked).map(\.id) == ["OH", "TX"])
        #expect(picture.markers[0].title == "Texas (TX)")
        #expect(MapPicture(of: ohio) == MapPicture(marking: [ohio]))
    }

    @Test func positionsAreRoundedToTenths() {
        let place = StateInformation(
            name: "Nowhere", abbreviation: "NW", capital: "None", bird: nil, flower: nil, largestCity: "None",
            admission: nil, centerLatitude: -0.96, centerLongitude: 12.04)
        let picture = MapPicture(of: place)
        #expect(picture.markers[0].position() == "1.0° S, 12.0° E")
        #expect(picture.markers[0].position(degree: "") == "1.0 S, 12.0 E")
        #expect(picture.shapes.allSatisfy { !$0.isMarked })
    }
}
