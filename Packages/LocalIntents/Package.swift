// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "LocalIntents",
    products: [
        .library(name: "LocalIntents", targets: ["LocalIntents"])
    ],
    dependencies: [
        .package(path: "../Domain"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "LocalIntents", dependencies: [.product(name: "Domain", package: "Domain")], swiftSettings: settings),
        .testTarget(
            name: "LocalIntentsTests",
            dependencies: [
                "LocalIntents", .product(name: "Domain", package: "Domain"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
