// SPDX-License-Identifier: MIT

import FoundationEssentials
import StructuredJSON

/// A picture or a file in a message, in the form of either text API.
struct AttachedPart: Sendable {
    /// "image/png of 70 bytes", "report.pdf (application/pdf of 300 bytes)", "the picture at https://…".
    let words: String

    /// The pictures and files of a message's content, in order.
    ///
    /// - Parameter param: The place of the content in the request, for the error.
    /// - Throws: `APIError` with status 400 for a part without content, or a `data:` URL that is not base64.
    static func all(of content: JSONValue?, param: String) throws(APIError) -> [AttachedPart] {
        var parts: [AttachedPart] = []
        for part in content?.array ?? [] {
            switch part["type"]?.string {
            case "input_image":
                parts.append(try picture(part["image_url"]?.string ?? part["file_id"]?.string, param))
            case "image_url": parts.append(try picture(part["image_url"]?["url"]?.string, param))
            case "input_file": parts.append(try file(part, param))
            case "file": parts.append(try file(part["file"] ?? [:], param))
            default: break
            }
        }
        return parts
    }

    private static let pictures: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    private static func picture(_ url: String?, _ param: String) throws(APIError) -> AttachedPart {
        guard let url else { throw APIError(status: 400, message: "Missing image_url.", param: param) }
        guard url.hasPrefix("data:") else { return AttachedPart(words: "the picture at \(url)") }
        let (type, size) = try content(url, param)
        guard pictures.contains(type) else {
            throw APIError(
                status: 400,
                message: "You uploaded an unsupported image. Please make sure your image has one of the following "
                    + "formats: ['png', 'jpeg', 'gif', 'webp'].", param: param)
        }
        return AttachedPart(words: "\(type) of \(size) bytes")
    }

    private static func file(_ part: JSONValue, _ param: String) throws(APIError) -> AttachedPart {
        if let reference = part["file_id"]?.string ?? part["file_url"]?.string {
            return AttachedPart(words: "the file \(reference)")
        }
        guard let data = part["file_data"]?.string else {
            throw APIError(status: 400, message: "Missing file_data.", param: param)
        }
        let (type, size) = try content(data, param)
        return AttachedPart(words: "\(part["filename"]?.string ?? "a file") (\(type) of \(size) bytes)")
    }

    /// The media type and the size of a `data:` URL in base64 (RFC 2397).
    private static func content(_ url: String, _ param: String) throws(APIError) -> (String, Int) {
        let halves = url.dropFirst(5).split(separator: ";base64,", maxSplits: 1, omittingEmptySubsequences: false)
        guard url.hasPrefix("data:"), halves.count == 2, let data = Data(base64Encoded: String(halves[1])),
            !data.isEmpty
        else {
            throw APIError(
                status: 400, message: "Expected a base64-encoded data URL with a MIME type.", param: param)
        }
        return (String(halves[0]), data.count)
    }
}
