/** The data types of an attribute (RFC 7643 §2.3). */
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

/** How far a value is unique (RFC 7643 §7). */
export type Uniqueness = 'none' | 'server' | 'global'

/**
 * One attribute of a schema (RFC 7643 §7). Omitted characteristics have the defaults of RFC 7643 §2.2: a
 * single-valued, optional string, compared without regard to case, `readWrite`, returned by
 * `default`, not unique.
 */
export interface Attribute {
  /** The name of the attribute (RFC 7643 §2.1). */
  readonly name: string
  /** The data type of each value (RFC 7643 §2.3). */
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
  /** How far a value is unique; `none` by default. The store checks it. */
  readonly uniqueness?: Uniqueness | undefined
  /** For `reference`: the resource types it can refer to, `external` or `uri`. */
  readonly referenceTypes?: readonly string[] | undefined
  /** For `complex`: the sub-attributes. */
  readonly subAttributes?: readonly Attribute[] | undefined
}

/** One schema: a URN and the attributes it defines (RFC 7643 §7). */
export interface SchemaDefinition {
  /** The URN of the schema. */
  readonly id: string
  /** The name of the schema to show to people. */
  readonly name: string
  /** A description for people. */
  readonly description?: string | undefined
  /** The attributes, in the order of the schemas document. */
  readonly attributes: readonly Attribute[]
}

/**
 * The schemas of one resource type, by URN. The core schema comes first, and a name without a URN resolves in
 * the order of insertion. The common attributes of RFC 7643 §3.1 (`schemas`, `id`, `externalId`, `meta`)
 * belong to every resource and need no definition.
 */
export type Definitions = Readonly<Record<string, SchemaDefinition>>

/** An authentication scheme of a service provider (RFC 7643 §5). */
export interface AuthenticationScheme {
  /** The kind of authentication. */
  readonly type: 'oauth' | 'oauth2' | 'oauthbearertoken' | 'httpbasic' | 'httpdigest'
  /** The name of the scheme to show to people. */
  readonly name: string
  /** A description of the scheme for people. */
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
  /** The most resources in a page. */
  readonly maxPageSize?: number | undefined
  /** How long (s) a cursor is valid at least. Unlimited if absent. */
  readonly cursorTimeout?: number | undefined
}

/** Where the discovery documents are served. */
export interface DocumentOptions {
  /**
   * The address of the SCIM endpoints: an absolute URL or a URL path, such as
   * `https://example.com/scim/v2` or `/scim/v2`. `meta.location` starts with it. Empty by default.
   */
  readonly base?: string | undefined
}

/** The settings of `serviceProviderConfig` (RFC 7643 §5, RFC 9865 §4). */
export interface ServiceProviderConfigOptions extends DocumentOptions {
  /** The URL of help for people. */
  readonly documentationUri?: string | undefined
  /** Whether PATCH is supported (RFC 7644 §3.5.2). */
  readonly patch?: boolean | undefined
  /** Whether bulk requests are supported, and their limits (RFC 7644 §3.7). */
  readonly bulk?:
    | {
        readonly supported: boolean
        /** The most operations in a request. */
        readonly maxOperations: number
        /** The maximum size of a request, in bytes. */
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
  /** The authentication schemes; none by default. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[] | undefined
}

/** One type of resource a service provider serves (RFC 7643 §6). */
export interface ResourceType {
  /** The type's identifier, such as `User`. */
  readonly id: string
  /** `id` by default. */
  readonly name?: string | undefined
  /** A description for people. */
  readonly description?: string | undefined
  /** The path of the type below the base address, such as `/Users`. */
  readonly endpoint: string
  /** The URN of the core schema. */
  readonly schema: string
  /** The URNs of the extensions, and whether a resource must have each; none by default. */
  readonly extensions?:
    | readonly { readonly schema: string; readonly required: boolean }[]
    | undefined
}
