// SPDX-License-Identifier: MIT

import Domain
import Foundation
import FoundationXML
import TerminalKit
import Testing

@testable import StateKnowledge
@testable import parley

@Suite struct SVGMapRendererTests {
    /// What a parsed document has, in the order of the document.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String], text: String)] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append((name, attributes, ""))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }
    }

    private func parse(_ svg: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        return reader
    }

    @Test func isWellFormedAndHasEveryState() throws {
        let texas = try #require(StateTable.rows.first { $0.id == "TX" })
        let svg = SVGMapRenderer().render(MapPicture(of: texas))
        let elements = try parse(svg).elements
        let root = try #require(elements.first)
        #expect(root.name == "svg")
        #expect(root.attributes["xmlns"] == "http://www.w3.org/2000/svg")
        #expect(root.attributes["role"] == "img")
        let box = (root.attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
        #expect(box.count == 4 && box[0] == 0 && box[1] == 0 && box[2] == 1000 && (600...800).contains(box[3]))
        let ids = elements.filter { $0.name == "path" }.compactMap { $0.attributes["id"] }
        #expect(ids.sorted() == StateOutlines().abbreviations)
        #expect(ids.last == "TX", "the marked state lies on top")
        let named = elements.compactMap { $0.attributes["id"] }
        #expect(Set(named).count == named.count)
        let labels = (root.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
        #expect(labels.count == 2 && labels.allSatisfy(named.contains))
        #expect(elements.first { $0.name == "title" }?.text == "Map of the United States with Texas marked")
        #expect(elements.first { $0.name == "desc" }?.text.contains("capital Austin") == true)
        #expect(elements.first { $0.name == "style" }?.text.contains("prefers-color-scheme: dark") == true)
        #expect(svg.utf8.count < 100_000)
        #expect(!svg.contains("href") && !svg.contains("<script") && !svg.contains("nan") && !svg.contains("inf"))
    }

    /// The path data, followed step by step, ends where it began and is the outline.
    @Test func pathsFollowTheOutlines() throws {
        let wyoming = try #require(StateTable.rows.first { $0.id == "WY" })
        let picture = MapPicture(of: wyoming)
        let elements = try parse(SVGMapRenderer().render(picture)).elements
        let circle = try #require(elements.first { $0.name == "circle" }).attributes
        let data = try #require(elements.first { $0.attributes["id"] == "WY" }?.attributes["d"])
        #expect(data.hasSuffix("z"))
        var points: [MapPoint] = []
        var last = MapPoint(x: 0, y: 0)
        for step in data.dropLast().split(whereSeparator: { "Ml".contains($0) }) {
            let numbers = step.matches(of: /-?[0-9]+(\.[0-9])?/).compactMap { Double($0.output.0) }
            try #require(numbers.count == 2)
            last = MapPoint(x: last.x + numbers[0], y: last.y + numbers[1])
            points.append(last)
        }
        let expected = try #require(picture.shapes.first { $0.id == "WY" }).rings[0]
        #expect(points.count == expected.count)
        for (point, corner) in zip(points, expected) {
            #expect(abs(point.x - (20 + corner.x * 960)) < 0.06 && abs(point.y - (20 + corner.y * 960)) < 0.06)
        }
        let centre = MapPoint(x: Double(circle["cx"] ?? "") ?? 0, y: Double(circle["cy"] ?? "") ?? 0)
        #expect(Geometry.isInside(centre, [points]))
    }

    @Test func textIsEscaped() throws {
        let name = "A & <B> \"C\" 'D' ]]> 🗽"
        let state = StateInformationFixture.make(name: name + "\u{1}\u{1B}", capital: "<script>&amp;")
        let svg = SVGMapRenderer().render(MapPicture(of: state))
        let elements = try parse(svg).elements
        #expect(elements.contains { $0.name == "text" && $0.text == name })
        #expect(elements.contains { $0.name == "tspan" && $0.text == "capital <script>&amp;" })
        #expect(elements.first { $0.name == "title" }?.text == "Map of the United States with \(name) marked")
        #expect(!elements.contains { $0.name == "script" || $0.name == "B" })
    }

    @Test func severalAndNoStates() throws {
        let some = StateTable.rows.filter { ["RI", "CT", "MA"].contains($0.id) }
        let elements = try parse(SVGMapRenderer().render(MapPicture(marking: some))).elements
        #expect(
            elements.first { $0.name == "title" }?.text
                == "Map of the United States with Connecticut, Massachusetts and Rhode Island marked")
        #expect(elements.count { $0.name == "circle" } == 3)
        let none = try parse(SVGMapRenderer().render(MapPicture(marking: []))).elements
        #expect(none.first { $0.name == "title" }?.text == "Map of the United States")
        _ = try parse(SVGMapRenderer().render(MapPicture(marking: StateTable.rows)))
    }

    @Test func namesDoNotLieOnEachOtherNorOverTheEdge() {
        var placer = MapLabelPlacer(width: 400, height: 300)
        let points = [(200.0, 150.0), (203, 155), (390, 270), (5, 5)].map { MapPoint(x: $0.0, y: $0.1) }
        for point in points { placer.block(point, radius: 8) }
        let boxes = points.map { point -> (left: Double, right: Double, top: Double, bottom: Double) in
            let place = placer.position(of: "Wyoming", at: point, fontSize: 20)
            let length = 89.6  // 7 characters of 0.64 × 20
            let before: Double = ["start": 0, "middle": length / 2, "end": length][place.anchor] ?? 0
            let left = place.x - before
            return (left, left + length, place.y - 16, place.y + 5)
        }
        for (index, box) in boxes.enumerated() {
            #expect(box.left >= 0 && box.right <= 400 && box.bottom <= 300)
            for other in boxes[..<index] {
                let isBeside = box.right <= other.left || other.right <= box.left
                let isApart = isBeside || box.bottom <= other.top || other.bottom <= box.top
                #expect(isApart)
            }
        }
    }
}
