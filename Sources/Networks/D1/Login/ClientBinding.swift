import Core
import Wire

/// The rules of client binding.
enum ClientBinding {
    /// Printable, without spaces; the SDKs document no more (thales-push-provisioning 2.3).
    static func isValue(_ text: String) -> Bool {
        (1...8_192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The check of a value that was found, or was not.
    static func check(
        _ binding: BindingHash?,
        deviceID: String?,
        context: D1Context?,
        now: Instant,
        name: String
    ) -> Check {
        guard let binding else { return .failed(name, BindingFault.unknown) }
        guard deviceID == nil || binding.deviceID == deviceID else { return .failed(name, BindingFault.otherDevice) }
        guard context == nil || binding.context == context else {
            let evidence =
                "made for \(binding.context.rawValue), the login is in \(context?.rawValue ?? "none")"
            return .failed(name, BindingFault.otherContext, evidence: evidence)
        }
        guard !binding.isSpent else { return .failed(name, BindingFault.spent) }
        guard now <= binding.expiresAt else {
            let evidence = "until \(RFC3339.format(binding.expiresAt)), now \(RFC3339.format(now))"
            return .failed(name, BindingFault.expired, evidence: evidence)
        }
        return .passed(name)
    }
}

extension View {
    /// The check of a token's `cbp` under the issuer's policy. Device and context are nil where nobody logs in.
    func bindingCheck(
        _ token: IssuerToken,
        policy: IssuerPolicies.Binding,
        deviceID: String?,
        context: D1Context?,
        field: String
    ) throws -> Check {
        let name = "\(field).cbp"
        guard let claim = token.binding, !claim.isNull else {
            return policy == .mandatory
                ? .failed(name, BindingFault.missing) : .passed(name, evidence: "none; \(policy.rawValue)")
        }
        if policy == .off { return .warning(name, BindingFault.ignored) }
        guard let value = claim.string, ClientBinding.isValue(value) else {
            return .failed(name, BindingFault.form, evidence: claim.typeName)
        }
        let binding = try store.record(BindingHash.self, GivenSecret.recordID(value))
        return ClientBinding.check(binding, deviceID: deviceID, context: context, now: now, name: name)
    }
}

extension World {
    /// A value of `bindingHash()`: made here, or `value`, made by the client.
    ///
    /// - Returns: nil when the client's value is not free for this device and context.
    func bind(
        _ value: String?,
        deviceID: String,
        context: D1Context
    ) throws -> (value: String, binding: BindingHash)? {
        try removeStale(BindingHash.self)
        let text = try value ?? unusedSecret(BindingHash.self)
        if let known = try store.record(BindingHash.self, GivenSecret.recordID(text)) {
            guard !known.isSpent, known.deviceID == deviceID, known.context == context else { return nil }
        }
        let binding = BindingHash(
            value: text,
            deviceID: deviceID,
            context: context,
            expiresAt: now.adding(seconds: BindingHash.lifeSeconds)
        )
        try store.put(binding)
        return (text, binding)
    }
}
