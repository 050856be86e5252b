// SPDX-License-Identifier: MIT

/// An element of an XML document (XML 1.0, Namespaces in XML 1.0).
public struct XMLElement: Sendable, Hashable {
    /// The namespace's URI, such as `DAV:`; empty for none.
    public let namespace: String
    /// The name without a prefix.
    public let name: String
    /// The attributes by name; one of a namespace has its URI and a space before its name.
    public let attributes: [String: String]
    /// The elements in it, in order.
    public let children: [XMLElement]
    /// Its own characters, without those of the elements in it.
    public let text: String

    /// The elements in it of one name, in order.
    public func children(_ namespace: String, _ name: String) -> [XMLElement] {
        children.filter { $0.name == name && $0.namespace == namespace }
    }

    /// The first child element with a name; nil without one.
    public func child(_ namespace: String, _ name: String) -> XMLElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}

/// The reason for which bytes are no XML document.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason and, for a mistake in the document, the line.
    public let description: String
}
