/** Attribute data types (RFC 7643 §2.3). */
export type AttributeType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'
  | 'complex'

/** When an attribute may be written (RFC 7643 §7). */
export type Mutability = 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'

/** When an attribute is part of a response (RFC 7643 §7). */
export type Returned = 'always' | 'never' | 'default' | 'request'

/** The scope in which a value is unique (RFC 7643 §7). */
export type Uniqueness = 'none' | 'server' | 'global'

/**
 * A schema attribute (RFC 7643 §7). Omitted characteristics have the defaults in RFC 7643 §2.2: a single-valued,
 * optional string, compared without regard to case, `readWrite`, returned by `default`, not unique.
 */
export interface Attribute {
  /** The attribute's name (RFC 7643 §2.1). */
  readonly name: string
  /** Each value's data type (RFC 7643 §2.3). */
  readonly type: AttributeType
  /** Whether the attribute has a list of values (RFC 7643 §2.4); false by default. */
  readonly multiValued?: boolean | undefined
  /** A description for people. */
  readonly description?: string | undefined
  /** Whether a resource must have a value; false by default. */
  readonly required?: boolean | undefined
  /** Values clients should use, such as `work` and `home`. Other values are accepted, too. */
  readonly canonicalValues?: readonly string[] | undefined
  /** Whether comparisons depend on letter case; false by default. */
  readonly caseExact?: boolean | undefined
  /** When the attribute may be written; `readWrite` by default. */
  readonly mutability?: Mutability | undefined
  /** When the attribute is part of a response; `default` by default. */
  readonly returned?: Returned | undefined
  /** The scope in which a value is unique; `none` by default. The store checks it. */
  readonly uniqueness?: Uniqueness | undefined
  /** For `reference`: the resource types it can refer to, `external` or `uri`. */
  readonly referenceTypes?: readonly string[] | undefined
  /**
   * For `binary`: the alphabet of its values (RFC 7643 §2.3.6); `base64` by default. The schemas document does not
   * show it, so name `base64url` in the `description` as well.
   */
  readonly encoding?: 'base64' | 'base64url' | undefined
  /** For `complex`: the sub-attributes. */
  readonly subAttributes?: readonly Attribute[] | undefined
}

/** A schema: a URN and the attributes it defines (RFC 7643 §7). */
export interface SchemaDefinition {
  /** The schema's URN. */
  readonly id: string
  /** The schema's name to show to people. */
  readonly name: string
  /** A description for people. */
  readonly description?: string | undefined
  /** The attributes, in the order of the schemas document. */
  readonly attributes: readonly Attribute[]
}

/**
 * A resource type's schemas, by URN. The core schema comes first, and a name without a URN resolves in insertion order.
 * The common attributes in RFC 7643 §3.1 (`schemas`, `id`, `externalId`, `meta`) belong to every resource and need no
 * definition.
 */
export type Definitions = Readonly<Record<string, SchemaDefinition>>

/** A service provider's authentication scheme (RFC 7643 §5). */
export interface AuthenticationScheme {
  /** The kind of authentication. */
  readonly type: 'oauth' | 'oauth2' | 'oauthbearertoken' | 'httpbasic' | 'httpdigest'
  /** The scheme's name to show to people. */
  readonly name: string
  /** The scheme's description for people. */
  readonly description: string
  /** The URL of the scheme's specification. */
  readonly specUri?: string | undefined
  /** The URL of help for the scheme. */
  readonly documentationUri?: string | undefined
  /** Whether this scheme is preferred. */
  readonly primary?: boolean | undefined
}

/** How lists are paged (RFC 9865 §4). */
export interface Pagination {
  /** Whether pages by cursor are supported. */
  readonly cursor: boolean
  /** Whether pages by index are supported. */
  readonly index: boolean
  /** The paging method of a list if the client asks for neither. */
  readonly defaultPaginationMethod?: 'cursor' | 'index' | undefined
  /** How many resources a page has if the client sends no count. */
  readonly defaultPageSize?: number | undefined
  /** The maximum number of resources in a page. */
  readonly maxPageSize?: number | undefined
  /** The minimum time (s) a cursor stays valid. Unlimited if absent. */
  readonly cursorTimeout?: number | undefined
}

/** Where the discovery documents are served. */
export interface DocumentOptions {
  /**
   * The address of the SCIM endpoints: an absolute URL or a URL path, such as `https://example.com/scim/v2` or
   * `/scim/v2`. `meta.location` starts with it. Empty by default.
   */
  readonly base?: string | undefined
}

/** Settings for `serviceProviderConfig` (RFC 7643 §5, RFC 9865 §4). */
export interface ServiceProviderConfigOptions extends DocumentOptions {
  /** The URL of help for people. */
  readonly documentationUri?: string | undefined
  /** Whether PATCH is supported (RFC 7644 §3.5.2). */
  readonly patch?: boolean | undefined
  /** Whether bulk requests are supported, and their limits (RFC 7644 §3.7). */
  readonly bulk?:
    | {
        readonly supported: boolean
        /** The maximum number of operations in a request. */
        readonly maxOperations: number
        /** The maximum request size, in bytes. */
        readonly maxPayloadSize: number
      }
    | undefined
  /** Whether filters are supported, and the maximum number of resources (RFC 7644 §3.4.2.2). */
  readonly filter?: { readonly supported: boolean; readonly maxResults: number } | undefined
  /** Whether a password can be changed. */
  readonly changePassword?: boolean | undefined
  /** Whether sorting is supported (RFC 7644 §3.4.2.3). */
  readonly sort?: boolean | undefined
  /** Whether entity tags are supported (RFC 7644 §3.14). */
  readonly etag?: boolean | undefined
  /** Omitted from the document if absent, because RFC 7643 does not define it. */
  readonly pagination?: Pagination | undefined
  /** Omitted from the document if absent (RFC 9967 §4). */
  readonly securityEvents?: SecurityEvents | undefined
  /** The authentication schemes; none by default. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[] | undefined
}

/** The Security Event Tokens a service provider issues (RFC 9967 §4). */
export interface SecurityEvents {
  /** When the server answers requests later: never, at the server's discretion, or if the client wants it. */
  readonly asyncRequest: 'none' | 'long' | 'request'
  /** URIs of the events it can generate. */
  readonly eventUris: readonly string[]
}

/** A resource type (RFC 7643 §6). */
export interface ResourceType {
  /** The type's identifier, such as `User`. */
  readonly id: string
  /** `id` by default. */
  readonly name?: string | undefined
  /** A description for people. */
  readonly description?: string | undefined
  /** The type's path below the base address, such as `/Users`. */
  readonly endpoint: string
  /** The core schema's URN. */
  readonly schema: string
  /** The extensions' URNs, and whether a resource must have each; none by default. */
  readonly extensions?:
    | readonly { readonly schema: string; readonly required: boolean }[]
    | undefined
}
