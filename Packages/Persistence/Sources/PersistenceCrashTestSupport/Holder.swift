// SPDX-License-Identifier: MIT

import Persistence

/// Keeps a database open: says `open`, then commits the number of each line of standard input and says it, until the input
/// ends.
struct Holder {
    let path: String

    func run() async throws {
        let database = try await Database(at: path)
        Main.say("open")
        while let number = readLine().flatMap({ Int($0) }) {
            try await database.write { try $0.execute("INSERT INTO item (id) VALUES (\(number))") }
            Main.say("\(number)")
        }
        await database.close()
    }
}
