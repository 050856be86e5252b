// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "StateKnowledge",
    products: [
        .library(name: "StateKnowledge", targets: ["StateKnowledge"])
    ],
    dependencies: [
        .package(path: "../Domain"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "StateKnowledge", dependencies: [.product(name: "Domain", package: "Domain")],
            swiftSettings: settings),
        .testTarget(
            name: "StateKnowledgeTests",
            dependencies: [
                "StateKnowledge", .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"), .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
