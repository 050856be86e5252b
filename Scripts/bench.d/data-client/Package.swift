// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "data-client",
    dependencies: [.package(path: "../../../Packages/Data"), .package(path: "../../../Packages/Domain")],
    targets: [
        .executableTarget(
            name: "data-client",
            dependencies: [
                .product(name: "DataLayer", package: "Data"), .product(name: "Domain", package: "Domain"),
                .product(name: "PracticeWire", package: "Data"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
