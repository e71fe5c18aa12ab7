package import Wire

/// What a member of a request holds.
package indirect enum FieldForm: Sendable {
    /// A text. Ids and names are short; what carries ciphertext is not.
    ///
    /// - Parameters:
    ///   - limit: most bytes in UTF-8.
    ///   - format: a format of JSON Schema, for example `date`.
    case text(limit: Int = 16 << 10, format: String? = nil)
    /// Bytes in base64.
    ///
    /// - Parameters:
    ///   - limit: most bytes.
    ///   - textLimit: most bytes of the text.
    ///   - areRandom: a text of hexadecimal digits alone is odd then, though it is base64 too.
    case bytes(limit: Int, textLimit: Int = 16 << 10, areRandom: Bool = false)
    /// True or false.
    case flag
    /// An object, whose members the table of the outer one may have.
    case object
    /// An array.
    case list(of: FieldForm)
    /// An array, or one item of it.
    case listOrOne(of: FieldForm)

    /// Most bytes of the text, where it is one.
    var textLimit: Int {
        switch self {
        case .text(let limit, _): limit
        case .bytes(_, let limit, _): limit
        case .flag, .object, .list, .listOrOne: 0
        }
    }

    /// Most bytes that are decoded from the text, or from each of a list.
    var byteLimit: Int {
        switch self {
        case .bytes(let limit, _, _): limit
        case .list(let form), .listOrOne(let form): form.byteLimit
        case .text, .flag, .object: 0
        }
    }

    /// As JSON Schema has it (2020-12, as OpenAPI 3.1 takes it).
    fileprivate var schema: JSON {
        switch self {
        case .text(_, let format?): ["type": "string", "format": .string(format)]
        case .text(_, nil): ["type": "string"]
        case .bytes: ["type": "string", "contentEncoding": "base64"]
        case .flag: ["type": "boolean"]
        case .object: ["type": "object"]
        case .list(let form): ["type": "array", "items": form.schema]
        case .listOrOne(let form): ["oneOf": [["type": "array", "items": form.schema], form.schema]]
        }
    }
}

/// The members of an object that a request is, or has inside.
package struct FieldTable<Field: RequestField>: Sendable {
    let required: [Field]
    let optional: [Field]
    /// The tables of members that are objects, or lists of them.
    let inside: [Field: FieldTable]
    private let names: Set<String>

    /// - Parameters:
    ///   - required: an absent one is told as missing.
    ///   - optional: taken where they are; what is neither is told as unknown.
    ///   - inside: tables of the objects that members are, or are lists of.
    package init(required: [Field] = [], optional: [Field] = [], inside: [Field: FieldTable] = [:]) {
        self.required = required
        self.optional = optional
        self.inside = inside
        names = Set((required + optional).map(\.rawValue))
    }

    /// The members of both.
    static func + (left: FieldTable, right: FieldTable) -> FieldTable {
        FieldTable(
            required: left.required + right.required,
            optional: left.optional + right.optional,
            inside: left.inside.merging(right.inside) { first, _ in first }
        )
    }

    /// Whether the object may have a member of that name.
    func contains(_ name: String) -> Bool { names.contains(name) }

    /// The object as a schema, for the face's OpenAPI document.
    package var schema: JSON {
        let properties = (required + optional).map { field in
            var schema = field.form.schema
            if let table = inside[field] {
                switch field.form {
                case .list: schema = schema.adding("items", table.schema)
                case .listOrOne: schema = ["oneOf": [["type": "array", "items": table.schema], table.schema]]
                default: schema = table.schema
                }
            }
            if let meaning = field.meaning { schema = schema.adding("description", .string(meaning)) }
            return (field.rawValue, schema)
        }
        let object: JSON = ["type": "object", "properties": .object(JSONObject(properties))]
        return required.isEmpty ? object : object.adding("required", .strings(required.map(\.rawValue)))
    }
}
