// SPDX-License-Identifier: MIT

import CExpat
import CExpatCalls

extension XMLElement {
    /// The most elements within each other.
    public static let maximumDepth = 64

    /// Reads a document by libexpat, which is loaded with the first one.
    ///
    /// A document type declaration is refused: no protocol that this is for has one, and it could name files to read or
    /// entities that grow without end.
    ///
    /// - Parameter bytes: The document, in UTF-8, UTF-16, ISO 8859-1 or US-ASCII as its declaration says.
    /// - Returns: The root element.
    public static func parse(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
        if let reason = cexpat_load() { throw XMLError(description: String(cString: reason)) }
        // A URI has no space, so that the last one in a name ends the namespace.
        guard let parser = XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: " "))) else {
            throw XMLError(description: "No memory is left for a document.")
        }
        defer { XML_ParserFree(parser) }
        guard let count = Int32(exactly: bytes.count) else { throw XMLError(description: "The document is too large.") }
        let builder = TreeBuilder(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let builder = TreeBuilder.from(context), let name else { return }
                builder.begin(String(cString: name), attributes)
            },
            { context, _ in TreeBuilder.from(context)?.end() })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            TreeBuilder.from(context)?.append(String(decoding: bytes, as: UTF8.self))
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            TreeBuilder.from(context)?.refuse("The document declares a type, which is not taken.")
        }
        let status = withExtendedLifetime(builder) {
            bytes.withUnsafeBytes { bytes in
                XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
            }
        }
        if let refusal = builder.refusal { throw XMLError(description: refusal) }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no document"
            throw XMLError(description: "Line \(cexpat_line(parser)) is no XML: \(reason).")
        }
        return root
    }
}

/// The elements that are open while a document is read.
private final class TreeBuilder {
    private struct Open {
        var namespace: String
        var name: String
        var attributes: [String: String]
        var children: [XMLElement] = []
        var text = ""
    }

    private let parser: XML_Parser
    private var open: [Open] = []
    private(set) var root: XMLElement?
    private(set) var refusal: String?

    init(_ parser: XML_Parser) { self.parser = parser }

    // SAFETY: the parser's user data is a builder that outlives the parsing.
    static func from(_ context: UnsafeMutableRawPointer?) -> TreeBuilder? {
        context.map { Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    func begin(_ name: String, _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard refusal == nil else { return }
        guard open.count < XMLElement.maximumDepth else {
            return refuse("The document has more than \(XMLElement.maximumDepth) elements within each other.")
        }
        var attributes: [String: String] = [:]
        var pairs = pairs
        // A list of names and values, which a null pointer ends.
        while let name = pairs?[0], let value = pairs?[1] {
            attributes[String(cString: name)] = String(cString: value)
            pairs = pairs?.advanced(by: 2)
        }
        let space = name.utf8.lastIndex(of: UInt8(ascii: " "))
        open.append(
            Open(
                namespace: space.map { String(name[..<$0]) } ?? "",
                name: space.map { String(name[name.index(after: $0)...]) } ?? name, attributes: attributes))
    }

    func append(_ text: String) {
        if !open.isEmpty { open[open.count - 1].text += text }
    }

    func end() {
        guard refusal == nil, let last = open.popLast() else { return }
        let element = XMLElement(
            namespace: last.namespace, name: last.name, attributes: last.attributes, children: last.children,
            text: last.text)
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func refuse(_ reason: String) {
        refusal = reason
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}
