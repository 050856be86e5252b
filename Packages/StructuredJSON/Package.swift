// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "StructuredJSON",
    products: [
        .library(name: "StructuredJSON", targets: ["StructuredJSON"])
    ],
    dependencies: [
        .package(path: "../TestKit")
    ],
    targets: [
        .target(
            name: "StructuredJSON",
            dependencies: [],
            swiftSettings: settings),
        .testTarget(
            name: "StructuredJSONTests",
            dependencies: ["StructuredJSON", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
