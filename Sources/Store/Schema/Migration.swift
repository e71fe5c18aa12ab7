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
    package static let all = [
        documents, worlds, certificates, Migration(.passesAndHistory), stamps, Migration(.cardArt),
    ]

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

    /// What is known of a world as a whole, and one key for whatever leads to a tenant; in snapshots, too.
    private static let stamps = Migration(
        name: "stamps",
        sql: """
            CREATE TABLE worlds (
                tenant TEXT PRIMARY KEY,
                version INTEGER NOT NULL,
                epoch INTEGER NOT NULL
            ) WITHOUT ROWID;
            INSERT INTO worlds SELECT DISTINCT tenant, 1, 0 FROM records;

            DROP INDEX keys_of_certificates;
            DROP INDEX records_of_credentials;
            UPDATE record_keys SET name = 'credential' WHERE kind = 'issuer' AND name = 'clientCertificate';
            INSERT INTO record_keys (tenant, kind, name, value, ordinal)
                SELECT tenant, kind, 'credential', id, ordinal FROM records WHERE kind IN ('d1Session', 'd1Bearer');
            CREATE INDEX keys_of_credentials ON record_keys (value, tenant) WHERE name = 'credential';

            UPDATE snapshots SET content = CAST(replace(
                CAST(content AS TEXT), '"clientCertificate","certificate:', '"credential","certificate:'
            ) AS BLOB);
            UPDATE snapshots SET content = CAST((
                SELECT '[' || group_concat(
                    CASE WHEN value ->> 0 IN ('d1Session', 'd1Bearer')
                    THEN json_insert(value, '$[2][#]', 'credential', '$[2][#]', value ->> 1) ELSE value END
                ) || ']' FROM json_each(CAST(content AS TEXT))
            ) AS BLOB) WHERE instr(content, '["d1Session",') OR instr(content, '["d1Bearer",');
            """
    )
}
