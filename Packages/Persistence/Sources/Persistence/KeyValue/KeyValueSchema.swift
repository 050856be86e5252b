// SPDX-License-Identifier: MIT

enum KeyValueSchema {
    static let migrations = [
        Migration(
            name: "key value 1",
            sql: """
                CREATE TABLE key_value (
                    namespace TEXT NOT NULL,
                    name TEXT NOT NULL,
                    bytes BLOB NOT NULL,
                    PRIMARY KEY (namespace, name)
                ) STRICT
                """)
    ]
}
