// SPDX-License-Identifier: MIT

/// What a type asked its decoder for, once.
final class Probe {
    enum Shape { case nothing, object, array, single }

    /// What stands at one place: a type, or what was asked for within a nested container.
    enum Element {
        case type(any Decodable.Type)
        case nested(Probe)
    }

    struct Property {
        let name: String
        let element: Element
        var isOptional: Bool
    }

    /// Which case of an enumeration with payloads is in the made-up data.
    let chosenCase: Int

    var shape = Shape.nothing
    private(set) var properties: [Property] = []
    private(set) var elements: [Element] = []
    /// How many cases the type has, if it looked for the one that is there; else 1.
    var caseCount = 1
    /// True if it looked for all names there are, and they were not those of an enumeration.
    var takesAnyName = false

    init(chosenCase: Int = 0) { self.chosenCase = chosenCase }

    func note(_ name: String, _ element: Element, isOptional: Bool = false) {
        guard !properties.contains(where: { $0.name == name }) else { return }
        properties.append(Property(name: name, element: element, isOptional: isOptional))
    }

    /// It can do without that property.
    func noteOptional(_ name: String) { optionalNames.insert(name) }
    private var optionalNames: Set<String> = []

    func note(_ name: String, _ type: any Decodable.Type, isOptional: Bool) {
        let optional = type as? any OptionalType.Type
        let isOptional = isOptional || optional != nil || optionalNames.contains(name)
        note(name, .type(optional?.wrappedType ?? type), isOptional: isOptional)
    }

    func note(_ element: Element) { elements.append(element) }
}
