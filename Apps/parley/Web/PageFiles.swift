// SPDX-License-Identifier: MIT

import FoundationEssentials
import LocalPage

/// The page's files, which are inside of the program.
enum PageFiles {
    /// The files of the folder Page.
    static let all = files.filter { $0.name != "texts.json" }

    /// The English texts of the page, which are the keys of the catalogues.
    static let texts: [String] = {
        let file = files.first { $0.name == "texts.json" }
        return file.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.bytes)) } ?? []
    }()

    private static let files = [
        PageFile(name: "api.js", bytes: PackageResources.api_js),
        PageFile(name: "dom.js", bytes: PackageResources.dom_js),
        PageFile(name: "index.html", bytes: PackageResources.index_html),
        PageFile(name: "live.js", bytes: PackageResources.live_js),
        PageFile(name: "main.js", bytes: PackageResources.main_js),
        PageFile(name: "now.js", bytes: PackageResources.now_js),
        PageFile(name: "style.css", bytes: PackageResources.style_css),
        PageFile(name: "texts.js", bytes: PackageResources.texts_js),
    ]
}
