// SPDX-License-Identifier: MIT

import Sync
import SyncWire
import XMLTree

/// The answer to a PROPFIND of depth 1 (RFC 4918 §9.1, §14.16).
struct WebDAVListing {
    /// The body of the question.
    static let question = """
        <?xml version="1.0" encoding="utf-8"?>\
        <propfind xmlns="DAV:"><prop><getcontentlength/><resourcetype/></prop></propfind>
        """

    /// The resources that are objects by their names.
    var objects: [SyncObject] = []
    /// The names of all other resources.
    var otherNames: [String] = []

    /// - Throws: `SyncError` with the code `invalidAnswer`.
    init(_ body: [UInt8]) throws(SyncError) {
        let root: XMLElement
        do { root = try XMLElement.parse(body) } catch {
            throw SyncError(
                code: .invalidAnswer, message: "The server's listing is no XML. Check that the address is WebDAV's.",
                underlying: error)
        }
        guard root.namespace == "DAV:", root.name == "multistatus" else {
            throw SyncError(
                code: .invalidAnswer, message: "The server's listing is none of WebDAV. Check the address.")
        }
        for response in root.children("DAV:", "response") {
            let properties = response.children("DAV:", "propstat")
                .filter { Self.isFound($0.child("DAV:", "status")?.text ?? "") }
                .compactMap { $0.child("DAV:", "prop") }
            let isCollection = properties.contains {
                $0.child("DAV:", "resourcetype")?.child("DAV:", "collection") != nil
            }
            guard !isCollection, let last = response.child("DAV:", "href")?.text.split(separator: "/").last else {
                continue
            }
            let text = Self.decoded(last.trimmed)
            guard let name = SyncObjectName(text) else {
                otherNames.append(text)
                continue
            }
            let sizes = properties.compactMap { $0.child("DAV:", "getcontentlength") }
            guard let size = sizes.lazy.compactMap({ Int($0.text.trimmed) }).first, size >= 0 else {
                throw SyncError(code: .invalidAnswer, message: "The server does not tell the size of \(name).")
            }
            objects.append(SyncObject(name: name, size: size))
        }
    }

    /// True for `HTTP/1.1 200 OK`.
    private static func isFound(_ status: String) -> Bool { status.split(separator: " ").dropFirst().first == "200" }

    /// A segment of a path without its percent encoding; as it is if that is not valid.
    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                return String(text)
            }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The text without white space around it.
    fileprivate var trimmed: SubSequence {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] }
            ?? self[startIndex..<startIndex]
    }
}
