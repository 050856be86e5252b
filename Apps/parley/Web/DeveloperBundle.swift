// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer

#if DEBUG
    extension PageRoutes {
        /// Adds the support bundle of the developer's view: the list and the archive in one answer, so that what was listed is what is saved.
        func addBundle(to router: inout Router) {
            struct Listed: Encodable {
                let name, about: String
                let bytes: Int
            }
            struct Made: Encodable {
                let contents: [Listed]
                /// In base 64.
                let archive: Data
            }
            router.post("/api/developer/bundle") { [app] _ in
                let console = await app.personalConsole()
                let parts = try await SupportBundle(app: app, now: .now, words: console.text).parts()
                return try .json(
                    Made(
                        contents: parts.map {
                            Listed(name: $0.name, about: console.text($0.about), bytes: $0.bytes.count)
                        },
                        archive: Data(SupportBundle.archive(of: parts, madeAt: .now))))
            }
        }
    }
#endif
