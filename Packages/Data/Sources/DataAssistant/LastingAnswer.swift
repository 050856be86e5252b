// SPDX-License-Identifier: MIT

import Echo

/// The field in which a model says whether its answer lasts.
enum LastingAnswer {
    private static let name = "lasts"

    /// The field's schema.
    static let fields: JSONObject = [
        name: [
            "type": "boolean",
            "description": """
            True only for an established fact that is the same for everyone, everywhere and for years, and if you are sure \
            of it. False for anything that depends on the time, the place, the person or the conversation, for opinions, \
            for what you have made up, and if you do not know.
            """,
        ]
    ]

    /// True if the fields of an answer say so.
    static func says(_ fields: JSONValue?) -> Bool { fields?[name] == true }
}
