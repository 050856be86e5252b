// SPDX-License-Identifier: MIT

/// The requests of a type to its decoder, in one run.
final class Probe {
    enum Shape { case nothing, object, array, single }

    /// The content of one place: a type, or the requests within a nested container.
    enum Element {
        case type(any Decodable.Type)
        case nested(Probe)
    }

    struct Property {
        let name: String
        let element: Element
        var isOptional: Bool
    }

    /// The index of the enumeration's case in the made-up data, for an enumeration with payloads.
    let chosenCase: Int

    var shape = Shape.nothing
    private(set) var properties: [Property] = []
    private(set) var elements: [Element] = []
    /// The number of the type's cases if it looked for the one in the data; else 1.
    var caseCount = 1
    /// True if it looked for all names in the data, and they were not those of an enumeration.
    var takesAnyName = false

    init(chosenCase: Int = 0) { self.chosenCase = chosenCase }

    func note(_ name: String, _ element: Element, isOptional: Bool = false) {
        guard !properties.contains(where: { $0.name == name }) else { return }
        properties.append(Property(name: name, element: element, isOptional: isOptional))
    }

    /// Notes that the type can do without that property.
    func noteOptional(_ name: String) { optionalNames.insert(name) }
    private var optionalNames: Set<String> = []

    func note(_ name: String, _ type: any Decodable.Type, isOptional: Bool) {
        let optional = type as? any OptionalType.Type
        let isOptional = isOptional || optional != nil || optionalNames.contains(name)
        note(name, .type(optional?.wrappedType ?? type), isOptional: isOptional)
    }

    func note(_ element: Element) { elements.append(element) }
}
