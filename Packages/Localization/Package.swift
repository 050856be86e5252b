// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Localization",
    products: [
        .library(name: "Localization", targets: ["Localization"])
    ],
    dependencies: [
        .package(path: "../DurableFiles"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "Localization", dependencies: [.product(name: "DurableFiles", package: "DurableFiles")],
            swiftSettings: settings),
        .testTarget(
            name: "LocalizationTests",
            dependencies: ["Localization", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
