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
  readonly name: string
  readonly type: AttributeType
  readonly multiValued?: boolean | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly canonicalValues?: readonly string[] | undefined
  readonly caseExact?: boolean | undefined
  readonly mutability?: Mutability | undefined
  readonly returned?: Returned | undefined
  readonly uniqueness?: Uniqueness | undefined
  /** For `reference`: the resource types that it can refer to, `external` or `uri`. */
  readonly referenceTypes?: readonly string[] | undefined
  /** For `complex`: the sub-attributes. */
  readonly subAttributes?: readonly Attribute[] | undefined
}

/** One schema: a URN and the attributes that it defines (RFC 7643 §7). */
export interface SchemaDefinition {
  /** The URN of the schema. */
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
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
  readonly type: 'oauth' | 'oauth2' | 'oauthbearertoken' | 'httpbasic' | 'httpdigest'
  readonly name: string
  readonly description: string
  readonly specUri?: string | undefined
  readonly documentationUri?: string | undefined
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
  /** The maximum number of resources of a page. */
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
  readonly documentationUri?: string | undefined
  readonly patch?: boolean | undefined
  readonly bulk?:
    | {
        readonly supported: boolean
        readonly maxOperations: number
        readonly maxPayloadSize: number
      }
    | undefined
  readonly filter?: { readonly supported: boolean; readonly maxResults: number } | undefined
  readonly changePassword?: boolean | undefined
  readonly sort?: boolean | undefined
  readonly etag?: boolean | undefined
  /** Omitted from the document if absent, because RFC 7643 does not define it. */
  readonly pagination?: Pagination | undefined
  readonly authenticationSchemes?: readonly AuthenticationScheme[] | undefined
}

/** One type of resource that a service provider serves (RFC 7643 §6). */
export interface ResourceType {
  readonly id: string
  /** `id` by default. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** The path of the type below the base address, such as `/Users`. */
  readonly endpoint: string
  /** The URN of the core schema. */
  readonly schema: string
  readonly extensions?:
    | readonly { readonly schema: string; readonly required: boolean }[]
    | undefined
}
