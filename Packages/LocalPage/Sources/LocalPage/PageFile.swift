// SPDX-License-Identifier: MIT

public import HTTPServer
import Networking

/// A file of a page: HTML, CSS, JavaScript, an image.
public struct PageFile: Sendable {
    /// The name in the address, such as `main.js`; `index.html` is the page itself.
    public let name: String
    /// The content.
    public let bytes: [UInt8]

    /// A file.
    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    ]

    /// The file as an answer.
    var response: ServerResponse {
        let type = name.split(separator: ".").last.flatMap { Self.types[String($0)] }
        return .bytes(bytes, contentType: type ?? "application/octet-stream")
    }
}

extension Router {
    /// Adds a route for each file, and one for the page itself.
    public mutating func serve(_ files: [PageFile]) {
        for file in files {
            let response = file.response
            get("/\(file.name)") { _ in response }
            if file.name == "index.html" { get("/") { _ in response } }
        }
    }
}
