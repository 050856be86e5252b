// SPDX-License-Identifier: MIT

import Foundation

/// The names of the codes of an error type, from the sources of its package: a code that a translation table lacks
/// fails its test.
///
/// - Parameters:
///   - type: The error type.
///   - folder: A folder below Packages.
package func errorCodes(_ type: String, in folder: String) throws -> Set<String> {
    let packages = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    let folder = packages.appending(path: folder)
    guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
        throw CocoaError(.fileNoSuchFile)
    }
    var codes: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        guard file.lastPathComponent.hasPrefix(type) || text.contains("extension \(type).Code") else { continue }
        for match in text.matches(of: /public static let \w+ = (?:\w+\.)?(?:Code|Self)\(rawValue: "(\w+)"\)/) {
            codes.insert(String(match.output.1))
        }
    }
    return codes
}
