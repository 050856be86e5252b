// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "LazyLibraries",
    products: [
        .library(name: "CLazyLibrary", targets: ["CLazyLibrary"])
    ],
    targets: [
        .target(name: "CLazyLibrary", swiftSettings: settings),
        .target(name: "CLazyLibraryTestSupport", dependencies: ["CLazyLibrary"], swiftSettings: settings),
        .testTarget(
            name: "LazyLibrariesTests", dependencies: ["CLazyLibraryTestSupport"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
