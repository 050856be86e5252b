// SPDX-License-Identifier: MIT

extension DecodingError {
    /// The member that could not be read; nil for the whole.
    var member: String? {
        let path: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.last?.stringValue
    }
}
