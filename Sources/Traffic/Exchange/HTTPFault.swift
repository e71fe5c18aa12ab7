package import Web
package import Wire

/// Refusals that no face's rules are about: paths, methods, sizes, framing, and the sandbox itself.
package enum HTTPFault: String, DiagnosisSubject {
    case pathUnknown = "PATH_UNKNOWN"
    case trailingSlash = "TRAILING_SLASH"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case methodUnknown = "METHOD_UNKNOWN"
    case operationNotBuilt = "OPERATION_NOT_BUILT"
    case contentTypeMissing = "CONTENT_TYPE_MISSING"
    case contentTypeUnsupported = "CONTENT_TYPE_UNSUPPORTED"
    case contentEncoding = "CONTENT_ENCODING_UNSUPPORTED"
    case contentEncodingBroken = "CONTENT_ENCODING_MALFORMED"
    case authorizationSpaces = "AUTHORIZATION_SPACES"
    case bodyTooLarge = "BODY_TOO_LARGE"
    case headersTooLarge = "HEADERS_TOO_LARGE"
    case targetTooLong = "TARGET_TOO_LONG"
    case framing = "HTTP_FRAMING"
    case version = "HTTP_VERSION"
    case host = "HTTP_HOST"
    case transferCoding = "HTTP_TRANSFER_CODING"
    case expectation = "HTTP_EXPECTATION"
    case timeout = "HTTP_TIMEOUT"
    case overloaded = "SERVER_OVERLOADED"
    case tenantName = "TENANT_NAME_INVALID"
    case tenantTwice = "TENANT_NAMED_TWICE"
    case tenantDiffers = "TENANT_PATH_AND_HEADER"
    case tenantUnknown = "TENANT_UNKNOWN"
    case tenantLimit = "TENANT_LIMIT"
    case credentialAmbiguous = "CREDENTIAL_AMBIGUOUS"
    case storeUnavailable = "STORE_UNAVAILABLE"
    case internalFault = "INTERNAL_FAULT"
    case requestIDReplaced = "REQUEST_ID_REPLACED"
}

extension HTTPFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .pathUnknown:
            (.notFound, "No operation has this path.", "Compare the path with Docs/; the paths are case-sensitive.")
        case .trailingSlash: (.notFound, "The path exists without the slash at its end.", "Remove the slash.")
        case .methodNotAllowed: (.methodNotAllowed, "The path exists with other methods.", "See the Allow header.")
        case .methodUnknown:
            (.notImplemented, "The server knows no such method.", "Methods are case-sensitive and written in capitals.")
        case .operationNotBuilt:
            (
                .notImplemented, "The network has this operation, and this version of the sandbox does not.",
                "Nothing is wrong with the request; GET /openapi/{face}.json lists what is served."
            )
        case .contentTypeMissing:
            (.warning, "The request has a body and no Content-Type.", "Send Content-Type: application/json.")
        case .contentTypeUnsupported:
            (.unsupportedMedia, "The body is not declared as JSON.", "Send Content-Type: application/json.")
        case .contentEncoding:
            (
                .unsupportedMedia, "The body has another content coding than gzip, or several.",
                "Send it in gzip, or without Content-Encoding."
            )
        case .contentEncodingBroken:
            (
                .malformed, "The body is declared as gzip and is not a whole gzip stream.",
                "See the evidence; a body that is not compressed needs no Content-Encoding."
            )
        case .authorizationSpaces:
            (
                .malformed, "Several spaces stand between the scheme and the token of Authorization.",
                "Send one; only strict refuses more."
            )
        case .bodyTooLarge:
            (
                .tooLarge, "The body is larger than the operation takes.",
                "Send at most 1 MiB, counted without its content coding; an import may have 64 MiB."
            )
        case .headersTooLarge:
            (.tooLarge, "The header fields are larger than 64 KiB.", "Send fewer or shorter header fields.")
        case .targetTooLong: (.tooLarge, "The request target is longer than 8 KiB.", "Send long values in the body.")
        case .framing: (.malformed, "The bytes are not an HTTP/1.1 request.", "See the evidence.")
        case .version: (.malformed, "The request line asks for another version than HTTP/1.0 or 1.1.", "Use HTTP/1.1.")
        case .host: (.malformed, "The Host header is missing or there are several.", "Send one Host header.")
        case .transferCoding: (.notImplemented, "The transfer coding is not chunked.", "Use chunked or Content-Length.")
        case .expectation:
            (.malformed, "The Expect header asks for something other than 100-continue.", "Remove the header.")
        case .timeout:
            (.malformed, "The request was not finished in time.", "Send the whole request without long pauses.")
        case .overloaded: (.unavailable, "Too many requests are in flight.", "Try again after the time in Retry-After.")
        case .tenantName: (.malformed, "The tenant's name is not one.", "Use [a-z0-9][a-z0-9-]{0,62}.")
        case .tenantTwice:
            (
                .malformed, "The request has several X-Sandbox-Tenant headers, with different names.",
                "Send the header once; a proxy or a default of the client may add another."
            )
        case .tenantDiffers:
            (
                .warning, "The path and the X-Sandbox-Tenant header name different tenants; the path's is taken.",
                "Name the tenant in one place."
            )
        case .tenantUnknown:
            (
                .notFound, "There is no such tenant.",
                "Create it with POST /v1/tenants; unless it runs with --tenants explicit, the server also makes one that a"
                    + " request to a face names."
            )
        case .tenantLimit:
            (
                .unavailable, "The server has 2,000 tenants and makes no more.",
                "Delete or reuse tenants; an isolated suite needs one."
            )
        case .credentialAmbiguous:
            (
                .unauthenticated, "Several tenants hold the credential, so it selects none of them.",
                "Name the tenant: path prefix /t/{tenant} or header X-Sandbox-Tenant."
            )
        case .storeUnavailable:
            (
                .unavailable, "The store could not read what it has, or not commit the change; nothing was changed.",
                "See the server's log. Of notWritable: make room on the disk; of damaged: reset or delete the tenant."
            )
        case .internalFault:
            (.internalFault, "The sandbox failed.", "Report it with the request id; the server's log has the cause.")
        case .requestIDReplaced:
            (
                .warning, "The x-request-id was not usable and was replaced.",
                "Use 1 to 64 of A–Z a–z 0–9 . _ - and no card number."
            )
        }
    }

    /// The fault of bytes that could not be framed.
    package init(_ reason: BrokenRequest.Reason) {
        self =
            switch reason {
            case .framing: .framing
            case .version: .version
            case .method: .methodUnknown
            case .targetTooLong: .targetTooLong
            case .headersTooLarge: .headersTooLarge
            case .bodyTooLarge: .bodyTooLarge
            case .transferCoding: .transferCoding
            case .expectation: .expectation
            case .host: .host
            case .timeout: .timeout
            case .overloaded: .overloaded
            }
    }

    /// The status HTTP itself has for the fault; faces use it where their network has no word of its own.
    package var status: Int {
        switch self {
        case .pathUnknown, .trailingSlash, .tenantUnknown: 404
        case .methodNotAllowed: 405
        case .methodUnknown, .transferCoding, .operationNotBuilt: 501
        case .contentTypeUnsupported, .contentEncoding: 415
        case .bodyTooLarge: 413
        case .headersTooLarge: 431
        case .targetTooLong: 414
        case .version: 505
        case .expectation: 417
        case .timeout: 408
        case .overloaded, .storeUnavailable, .tenantLimit: 503
        case .internalFault: 500
        case .credentialAmbiguous: 401
        case .framing, .host, .tenantName, .tenantTwice, .tenantDiffers, .contentTypeMissing, .contentEncodingBroken,
            .authorizationSpaces,
            .requestIDReplaced:
            400
        }
    }
}
