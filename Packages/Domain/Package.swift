// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Domain",
    products: [
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "DomainTestSupport", targets: ["DomainTestSupport"]),
    ],
    dependencies: [
        .package(path: "../TestKit")
    ],
    targets: [
        .target(name: "Domain", swiftSettings: settings),
        .target(
            name: "DomainTestSupport",
            dependencies: ["Domain", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
        .testTarget(
            name: "DomainTests",
            dependencies: ["Domain", "DomainTestSupport", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
