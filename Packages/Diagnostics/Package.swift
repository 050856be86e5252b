// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Diagnostics",
    products: [
        .library(name: "Diagnostics", targets: ["Diagnostics"])
    ],
    targets: [
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CThreadSanitizer"),
        .target(name: "Diagnostics", dependencies: ["CMalloc", "CThreadSanitizer"], swiftSettings: settings),
        .testTarget(
            name: "DiagnosticsTests",
            dependencies: ["Diagnostics"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
