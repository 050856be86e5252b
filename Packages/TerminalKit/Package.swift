// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TerminalKit",
    products: [
        .library(name: "TerminalKit", targets: ["TerminalKit"])
    ],
    dependencies: [
        .package(path: "../Localization"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(name: "TerminalKit", swiftSettings: settings),
        .testTarget(
            name: "TerminalKitTests",
            dependencies: [
                "TerminalKit", .product(name: "Localization", package: "Localization"),
                .product(name: "TestKit", package: "TestKit"),
            ], exclude: ["Snapshots"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
