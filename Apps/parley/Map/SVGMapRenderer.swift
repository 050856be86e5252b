// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// Draws a ``MapPicture`` as an SVG document (SVG 1.1, and valid as SVG 2): readable in light and in dark surroundings,
/// with a title and a description for people who cannot see it, without scripts and without external resources.
struct SVGMapRenderer: Sendable {
    /// The width of the map in user units; the height follows from the picture and from the number of names below it.
    private static let width = 1000.0
    private static let margin = 20.0
    private static let captionHeight = 34.0

    /// Makes a renderer.
    init() {}

    /// The document, ending with a line feed.
    func render(_ picture: MapPicture) -> String {
        let mapBottom = Self.margin + picture.height * (Self.width - 2 * Self.margin)
        let height = (mapBottom + 24 + Double(picture.markers.count) * Self.captionHeight).rounded(.up)
        let names = picture.markers.map(\.state.name)
        var svg = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 \(Self.number(height))" width="1000" \
            height="\(Self.number(height))" role="img" aria-labelledby="map-title map-description" \
            font-family="system-ui, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif">
            <title id="map-title">\(Self.escaped(title(names)))</title>
            <desc id="map-description">\(Self.escaped(description(picture)))</desc>
            <style>\(Self.styleSheet)</style>
            <rect class="sea" width="1000" height="\(Self.number(height))" rx="16" fill="#f1f5f9"/>

            """
        svg += group(picture.shapes.filter { !$0.isMarked }, class: "land", fill: "#cbd5e1")
        svg += group(picture.shapes.filter(\.isMarked), class: "marked", fill: "#e8590c")
        svg += "<g class=\"frame\" fill=\"none\" stroke=\"#94a3b8\" stroke-width=\"1\">\n"
        for line in picture.insetFrames { svg += "<path d=\"\(path(line, isClosed: false))\"/>\n" }
        svg += "</g>\n"
        svg += markers(picture, bottom: mapBottom)
        for (index, marker) in picture.markers.enumerated() {
            svg += caption(marker, y: mapBottom + 28 + Double(index) * Self.captionHeight)
        }
        return svg + "</svg>\n"
    }

    private func title(_ names: [String]) -> String {
        switch names.count {
        case 0: "Map of the United States"
        case 1: "Map of the United States with \(names[0]) marked"
        default:
            "Map of the United States with \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) marked"
        }
    }

    private func description(_ picture: MapPicture) -> String {
        let marked = picture.markers.map { marker in
            "\(marker.state.name), capital \(marker.state.capital), center \(marker.position())."
        }
        return (["Outlines of the fifty states and of the District of Columbia, Alaska and Hawaii as insets."] + marked)
            .joined(separator: " ")
    }

    private func group(_ shapes: [MapPicture.Shape], class name: String, fill: String) -> String {
        var svg = """
            <g class="\(name)" fill="\(fill)" stroke="#ffffff" stroke-width="1" stroke-linejoin="round" \
            fill-rule="evenodd">

            """
        for shape in shapes {
            let data = shape.rings.map { path($0, isClosed: true) }.joined()
            let id = Self.escaped(shape.id)
            svg += "<path id=\"\(id)\" d=\"\(data)\"><title>\(id)</title></path>\n"
        }
        return svg + "</g>\n"
    }

    /// Path data in whole tenths of a unit, relative to the point before; points that coincide are left out.
    private func path(_ points: [MapPoint], isClosed: Bool) -> String {
        var data = ""
        var last = (x: 0, y: 0)
        for (index, point) in points.enumerated() {
            let placed = onSheet(point)
            let here = (x: Int((placed.x * 10).rounded()), y: Int((placed.y * 10).rounded()))
            let step = (x: here.x - last.x, y: here.y - last.y)
            if index > 0, step == (0, 0) { continue }
            let separator = step.y < 0 ? "" : " "
            data += "\(index == 0 ? "M" : "l")\(Self.tenths(step.x))\(separator)\(Self.tenths(step.y))"
            last = here
        }
        return isClosed ? data + "z" : data
    }

    private func markers(_ picture: MapPicture, bottom: Double) -> String {
        var svg = ""
        var placer = MapLabelPlacer(width: Self.width, height: bottom)
        let places = picture.markers.map { onSheet($0.point) }
        for place in places { placer.block(place, radius: 8) }
        for (marker, place) in zip(picture.markers, places) {
            let (x, y) = (Self.number(place.x), Self.number(place.y))
            let label = placer.position(of: marker.state.name, at: place, fontSize: 22)
            svg += """
                <g class="marker">
                <circle cx="\(x)" cy="\(y)" r="6.5" fill="#ffffff" stroke="#7c2d12" stroke-width="3"/>
                <text class="label" x="\(Self.number(label.x))" y="\(Self.number(label.y))" \
                text-anchor="\(label.anchor)" font-size="22" font-weight="700" fill="#0f172a" stroke="#f1f5f9" \
                stroke-width="5" stroke-linejoin="round" paint-order="stroke">\(Self.escaped(marker.state.name))</text>
                </g>

                """
        }
        return svg
    }

    private func caption(_ marker: MapPicture.Marker, y: Double) -> String {
        """
        <text class="caption" x="28" y="\(Self.number(y))" font-size="20" fill="#475569">\
        <tspan class="name" font-weight="700" fill="#0f172a">\(Self.escaped(marker.title))</tspan>\
        <tspan dx="14">capital \(Self.escaped(marker.state.capital))</tspan>\
        <tspan dx="14">\(Self.escaped(marker.position()))</tspan></text>

        """
    }

    private func onSheet(_ point: MapPoint) -> MapPoint {
        let scale = Self.width - 2 * Self.margin
        return MapPoint(x: Self.margin + point.x * scale, y: Self.margin + point.y * scale)
    }

    /// The attributes have the light colours, for renderers without style sheets; these are the dark ones.
    private static let styleSheet = """

        @media (prefers-color-scheme: dark) {
        .sea { fill: #0f172a; }
        .land { fill: #2b3a50; stroke: #0f172a; }
        .marked { fill: #ff922b; stroke: #0f172a; }
        .frame { stroke: #475569; }
        .label { fill: #f8fafc; stroke: #0f172a; }
        .caption { fill: #94a3b8; }
        .name { fill: #f8fafc; }
        }

        """

    private static func number(_ value: Double) -> String { tenths(Int((value * 10).rounded())) }

    private static func tenths(_ value: Int) -> String {
        let whole = "\(value < 0 ? "-" : "")\(abs(value) / 10)"
        return value % 10 == 0 ? whole : "\(whole).\(abs(value) % 10)"
    }

    /// The text for XML 1.0, in elements and in quoted attributes; characters that XML cannot have are left out.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
