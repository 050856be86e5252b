// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "DurableFiles",
    products: [
        .library(name: "DurableFiles", targets: ["DurableFiles"])
    ],
    dependencies: [
        .package(path: "../TestKit")
    ],
    targets: [
        .target(name: "DurableFiles", swiftSettings: settings),
        .testTarget(
            name: "DurableFilesTests",
            dependencies: ["DurableFiles", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
