package import Masking
package import Web

extension Masking {
    /// Headers in order, each with its masked value.
    package static func headers(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
        headers.fields.map { field in
            (name: text(field.name.text), value: header(field.name.text, field.value))
        }
    }
}
