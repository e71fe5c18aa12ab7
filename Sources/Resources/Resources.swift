import CResources

/// Files that are part of the program, so that it needs none of them where it runs.
package enum Resources {
    /// The OpenAPI documents, by face.
    package static let openAPI: [String: [UInt8]] = [
        "control": bytes(resource_openapi_control), "d1": bytes(resource_openapi_d1),
        "tpc": bytes(resource_openapi_tpc), "wallet": bytes(resource_openapi_wallet),
    ]

    /// Keys and fixtures, by their paths in the repository.
    package static let files: [String: [UInt8]] = {
        var count = 0
        guard let first = resource_files(&count) else { return [:] }
        var files: [String: [UInt8]] = [:]
        for file in UnsafeBufferPointer(start: first, count: count) {
            files[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
        }
        return files
    }()

    /// A copy; the original is static memory that nobody frees.
    private static func bytes(_ resource: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?) -> [UInt8] {
        var count = 0
        guard let start = resource(&count) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}
