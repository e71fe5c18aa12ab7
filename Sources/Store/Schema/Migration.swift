package import Core

/// One step from a schema to the next, or from one way to write documents to the next.
///
/// A released migration never changes and never moves: a store's `user_version` counts how many were applied.
package struct Migration: Sendable {
    /// Names the backup that is made before it.
    package let name: String
    let sql: String
    let documents: DocumentMigration?

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        documents = nil
    }

    /// Leaves the schema as it is.
    package init(_ documents: DocumentMigration) {
        name = documents.name
        sql = ""
        self.documents = documents
    }

    /// All migrations, oldest first. New ones are appended.
    package static let all = [documents, worlds, certificates, Migration(.passesAndHistory)]

    /// Records with their keys, the vault, and what the file knows of itself.
    ///
    /// A rowid is part of every index, so both look-ups give records in order of creation without sorting.
    private static let documents = Migration(
        name: "documents",
        sql: """
            CREATE TABLE meta (
                key TEXT PRIMARY KEY,
                value BLOB NOT NULL
            ) WITHOUT ROWID;

            CREATE TABLE records (
                ordinal INTEGER PRIMARY KEY,
                tenant TEXT NOT NULL,
                kind TEXT NOT NULL,
                id TEXT NOT NULL,
                document TEXT NOT NULL,
                UNIQUE (tenant, kind, id)
            );
            CREATE INDEX records_in_order ON records (tenant, kind);

            CREATE TABLE record_keys (
                tenant TEXT NOT NULL,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                ordinal INTEGER NOT NULL REFERENCES records (ordinal) ON DELETE CASCADE,
                PRIMARY KEY (tenant, kind, name, value, ordinal)
            ) WITHOUT ROWID;
            CREATE INDEX record_keys_of_record ON record_keys (ordinal);

            CREATE TABLE vault (
                ordinal INTEGER PRIMARY KEY,
                tenant TEXT NOT NULL,
                owner_kind TEXT NOT NULL,
                owner_id TEXT NOT NULL,
                number TEXT NOT NULL,
                lookup BLOB NOT NULL,
                UNIQUE (tenant, owner_kind, owner_id)
            );
            CREATE INDEX vault_by_number ON vault (tenant, lookup);
            """
    )

    /// Snapshots, and the credentials that lead to a tenant.
    ///
    /// A snapshot's numbers stand in the vault like all others, under a tenant that no request can name.
    private static let worlds = Migration(
        name: "worlds",
        sql: """
            CREATE TABLE snapshots (
                ordinal INTEGER PRIMARY KEY,
                tenant TEXT NOT NULL,
                id TEXT NOT NULL,
                at INTEGER NOT NULL,
                records INTEGER NOT NULL,
                bytes INTEGER NOT NULL,
                content BLOB NOT NULL,
                UNIQUE (tenant, id)
            );

            CREATE INDEX records_of_credentials ON records (id, tenant) WHERE kind IN ('d1Session', 'd1Bearer');
            """
    )

    /// The client certificates of issuers, which lead to a tenant too.
    private static let certificates = Migration(
        name: "certificates",
        sql: """
            CREATE INDEX keys_of_certificates ON record_keys (value, tenant)
                WHERE kind = 'issuer' AND name = 'clientCertificate';
            """
    )
}
