// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// The exchanges of a cassette file: JSON that can be read and reviewed.
struct Cassette: Codable {
    struct Exchange: Codable {
        var method: String
        var url: String
        var requestHeaders: [[String]]
        var status: Int
        var responseHeaders: [[String]]
        /// The content as text, or in base64 if it is not UTF-8.
        var text: String?
        var base64: String?
    }

    var exchanges: [Exchange] = []

    static func read(_ path: String) throws -> Cassette {
        do {
            return try JSONDecoder().decode(Cassette.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw NetworkError(
                code: .file, message: "The cassette cannot be read. Record it first.", underlying: error)
        }
    }

    func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(self).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw NetworkError(code: .file, message: "The cassette cannot be written.", underlying: error)
        }
    }
}

extension Cassette.Exchange {
    init(_ request: HTTPRequest, _ response: HTTPResponse, body: [UInt8], redaction: Redaction) {
        func pairs(_ headers: HTTPHeaders) -> [[String]] {
            // The content is kept decompressed, and its length may change with the secrets.
            redaction.redacted(headers)
                .filter { !["content-encoding", "content-length", "transfer-encoding"].contains($0.name.lowercased()) }
                .map { [$0.name, $0.value] }
        }
        let text = String(validating: body, as: UTF8.self)
        self.init(
            method: request.method.rawValue, url: redaction.redacted(request.url.absoluteString),
            requestHeaders: pairs(request.headers), status: response.status,
            responseHeaders: pairs(response.headers), text: text.map { redaction.redacted(body: $0) },
            base64: text == nil ? Data(body).base64EncodedString() : nil)
    }

    func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(responseHeaders.filter { $0.count == 2 }.map { .init(name: $0[0], value: $0[1]) }),
            url: request.url,
            body: HTTPResponseBody(
                text.map { Array($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []))
    }
}
