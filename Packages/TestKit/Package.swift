// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TestKit",
    products: [
        .library(name: "TestKit", targets: ["TestKit"])
    ],
    targets: [
        .target(name: "TestKit", swiftSettings: settings),
        .testTarget(name: "TestKitTests", dependencies: ["TestKit"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
