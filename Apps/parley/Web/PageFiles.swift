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

    private static let files = allBuilds + developer

    /// The developer's view, which no release has.
    private static let developer: [PageFile] = {
        #if DEBUG
            [PageFile(name: "developer.js", bytes: PackageResources.developer_js)]
        #else
            []
        #endif
    }()

    private static let allBuilds = [
        PageFile(name: "api.js", bytes: PackageResources.api_js),
        PageFile(name: "chat.js", bytes: PackageResources.chat_js),
        PageFile(name: "consent.js", bytes: PackageResources.consent_js),
        PageFile(name: "dashboard.js", bytes: PackageResources.dashboard_js),
        PageFile(name: "dom.js", bytes: PackageResources.dom_js),
        PageFile(name: "index.html", bytes: PackageResources.index_html),
        PageFile(name: "live.js", bytes: PackageResources.live_js),
        PageFile(name: "main.js", bytes: PackageResources.main_js),
        PageFile(name: "markdown.js", bytes: PackageResources.markdown_js),
        PageFile(name: "now.js", bytes: PackageResources.now_js),
        PageFile(name: "parts.js", bytes: PackageResources.parts_js),
        PageFile(name: "practice.js", bytes: PackageResources.practice_js),
        PageFile(name: "settings.js", bytes: PackageResources.settings_js),
        PageFile(name: "start.js", bytes: PackageResources.start_js),
        PageFile(name: "style.css", bytes: PackageResources.style_css),
        PageFile(name: "texts.js", bytes: PackageResources.texts_js),
        PageFile(name: "texts.json", bytes: PackageResources.texts_json),
    ]
}
