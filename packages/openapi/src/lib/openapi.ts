/**
 * Members whose names start with `x-` (OpenAPI 3.1.1 §4.9). Every object has them but the Reference
 * Object and the Security Requirement Object; a schema may have any keyword.
 */
export interface Extensible {
  readonly [extension: `x-${string}`]: unknown
}

/** The root of an OpenAPI document (OpenAPI 3.1.1 §4.8.1). */
export interface Document extends Extensible {
  /** The version of OpenAPI that the document follows, such as `3.1.1`; not that of the API. */
  readonly openapi: string
  /** The default JSON Schema dialect of schemas, as a URI. */
  readonly jsonSchemaDialect?: string
  /** The title, version and contacts of the API. */
  readonly info: Info
  /** Where the API is served; one server with the url `/` by default. */
  readonly servers?: readonly Server[]
  /** The tags of operations, in the order in which tools show them. */
  readonly tags?: readonly Tag[]
  /** The default security: an operation must satisfy one of these. */
  readonly security?: readonly SecurityRequirement[]
  /** The operations of the API, by path. */
  readonly paths?: Paths
  /** Requests that the API sends and its users answer, by name. */
  readonly webhooks?: Readonly<Record<string, PathItem>>
  /** The objects that references name. */
  readonly components?: Components
  /** More about it elsewhere. */
  readonly externalDocs?: ExternalDocumentation
}

/** The title, version and contacts of an API (OpenAPI 3.1.1 §4.8.2). */
export interface Info extends Extensible {
  /** The name of the API. */
  readonly title: string
  /** The version of the API's document; not that of OpenAPI. */
  readonly version: string
  /** One line. */
  readonly summary?: string
  /** May hold CommonMark. */
  readonly description?: string
  /** A URI. */
  readonly termsOfService?: string
  /** Whom to ask about the API. */
  readonly contact?: Contact
  /** The license of the API. */
  readonly license?: License
}

/** Whom to ask about the API (OpenAPI 3.1.1 §4.8.3). */
export interface Contact extends Extensible {
  /** A person or an organization. */
  readonly name?: string
  /** A URI. */
  readonly url?: string
  /** An email address. */
  readonly email?: string
}

/** The license of the API (OpenAPI 3.1.1 §4.8.4). */
export interface License extends Extensible {
  /** The name of the license. */
  readonly name: string
  /** An SPDX expression; excludes `url`. */
  readonly identifier?: string
  /** A URI; excludes `identifier`. */
  readonly url?: string
}

/** Where an API is served (OpenAPI 3.1.1 §4.8.5). */
export interface Server extends Extensible {
  /** May hold variables in braces, such as `https://{region}.example.com`. */
  readonly url: string
  /** May hold CommonMark. */
  readonly description?: string
  /** The variables of `url` by their names. */
  readonly variables?: Readonly<Record<string, ServerVariable>>
}

/** A variable of a server's url (OpenAPI 3.1.1 §4.8.6). */
export interface ServerVariable extends Extensible {
  /** The value that is used if the client does not choose one; must be in `enum`, if that is set. */
  readonly default: string
  /** The values that a client may choose; at least one. */
  readonly enum?: readonly string[]
  /** May hold CommonMark. */
  readonly description?: string
}

/** The objects that references name; names match `^[a-zA-Z0-9._-]+$` (OpenAPI 3.1.1 §4.8.7). */
export interface Components extends Extensible {
  /** Referred to as `#/components/schemas/{name}`. */
  readonly schemas?: Readonly<Record<string, Schema>>
  /** Responses by name. */
  readonly responses?: Readonly<Record<string, Response | Reference>>
  /** Parameters by name. */
  readonly parameters?: Readonly<Record<string, Parameter | Reference>>
  /** Examples by name. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** Request bodies by name. */
  readonly requestBodies?: Readonly<Record<string, RequestBody | Reference>>
  /** Headers by name. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The names that security requirements use. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
  /** Links by name. */
  readonly links?: Readonly<Record<string, Link | Reference>>
  /** Callbacks by name. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** Path items by name. */
  readonly pathItems?: Readonly<Record<string, PathItem>>
}

/** Path items by path templates such as `/books/{bookId}` (OpenAPI 3.1.1 §4.8.8). */
export interface Paths extends Extensible {
  readonly [path: `/${string}`]: PathItem
}

/** The methods that a path item has a field for (OpenAPI 3.1.1 §4.8.9). */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

/** The operations of a path by their methods (OpenAPI 3.1.1 §4.8.9). */
export interface PathItem extends Readonly<Partial<Record<Method, Operation>>>, Extensible {
  /** A URI reference to another path item; other fields next to it have undefined behavior. */
  readonly $ref?: string
  /** One line. */
  readonly summary?: string
  /** May hold CommonMark. */
  readonly description?: string
  /** Used by all operations of the path instead of the document's servers. */
  readonly servers?: readonly Server[]
  /** Shared by all operations of the path. */
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** One operation of an API (OpenAPI 3.1.1 §4.8.10). */
export interface Operation extends Extensible {
  /** Names of tags, which group operations. */
  readonly tags?: readonly string[]
  /** One line. */
  readonly summary?: string
  /** May hold CommonMark. */
  readonly description?: string
  /** More about it elsewhere. */
  readonly externalDocs?: ExternalDocumentation
  /** Unique in the document, and case-sensitive. */
  readonly operationId?: string
  /** Unique by `name` and `in`. */
  readonly parameters?: readonly (Parameter | Reference)[]
  /** The body of the request. */
  readonly requestBody?: RequestBody | Reference
  /** The responses by status. */
  readonly responses?: Responses
  /** Requests that the API may send in consequence of the operation, by name. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** False by default. */
  readonly deprecated?: boolean
  /** Used instead of the document's requirements; an empty list means no authentication. */
  readonly security?: readonly SecurityRequirement[]
  /** Used instead of the servers of the path and of the document. */
  readonly servers?: readonly Server[]
}

/** More about a subject elsewhere (OpenAPI 3.1.1 §4.8.11). */
export interface ExternalDocumentation extends Extensible {
  /** A URI. */
  readonly url: string
  /** May hold CommonMark. */
  readonly description?: string
}

/** A parameter of an operation, with either `schema` or `content` (OpenAPI 3.1.1 §4.8.12). */
export interface Parameter extends Extensible {
  /** Case-sensitive, except in a header. */
  readonly name: string
  /** The part of the request that carries it. */
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** May hold CommonMark. */
  readonly description?: string
  /** False by default; a path parameter must be required. */
  readonly required?: boolean
  /** False by default. */
  readonly deprecated?: boolean
  /** Whether an empty value may be sent; of query parameters only, and deprecated by OpenAPI. */
  readonly allowEmptyValue?: boolean
  /** `form` by default in a query and a cookie, `simple` in a path and a header. */
  readonly style?: Style
  /** Whether each value of a list or an object is sent by itself; true by default for `form`. */
  readonly explode?: boolean
  /** Whether reserved characters are sent without percent-encoding; false by default. */
  readonly allowReserved?: boolean
  /** The schema of the value; excludes `content`. */
  readonly schema?: Schema
  /** Excludes `examples`. */
  readonly example?: unknown
  /** Examples by name. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** One media type with its schema, for values that no style can serialize. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** How a parameter or a field of a form is serialized (OpenAPI 3.1.1 §4.8.12.3). */
export type Style =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'

/** The body of a request (OpenAPI 3.1.1 §4.8.13). */
export interface RequestBody extends Extensible {
  /** May hold CommonMark. */
  readonly description?: string
  /** By media type or media range. */
  readonly content: Readonly<Record<string, MediaType>>
  /** False by default. */
  readonly required?: boolean
}

/** The content of a body of one media type (OpenAPI 3.1.1 §4.8.14). */
export interface MediaType extends Extensible {
  /** The schema of the body. */
  readonly schema?: Schema
  /** Excludes `examples`. */
  readonly example?: unknown
  /** Examples by name. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** By property of the schema; of the bodies of forms only. */
  readonly encoding?: Readonly<Record<string, Encoding>>
}

/** How one property of a form is sent (OpenAPI 3.1.1 §4.8.15). */
export interface Encoding extends Extensible {
  /** Media types or media ranges, separated by commas. */
  readonly contentType?: string
  /** Of the part; for multipart bodies only. `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** As of a query parameter. If it is set, the default of `contentType` is ignored. */
  readonly style?: Style
  /** As of a query parameter. */
  readonly explode?: boolean
  /** As of a query parameter. */
  readonly allowReserved?: boolean
}

/** Responses by status code, by range such as `4XX`, or `default` (OpenAPI 3.1.1 §4.8.16). */
export interface Responses
  extends Readonly<Partial<Record<`${1 | 2 | 3 | 4 | 5}XX` | 'default', Response | Reference>>>,
    Extensible {
  readonly [status: number]: Response | Reference
}

/** One response of an operation (OpenAPI 3.1.1 §4.8.17). */
export interface Response extends Extensible {
  /** May hold CommonMark. */
  readonly description: string
  /** By name, in any letter case; `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** By media type or media range. */
  readonly content?: Readonly<Record<string, MediaType>>
  /** The links by name. */
  readonly links?: Readonly<Record<string, Link | Reference>>
}

/**
 * Path items by the expressions that the request's url is computed from, such as
 * `{$request.body#/callbackUrl}` (OpenAPI 3.1.1 §4.8.18).
 */
export interface Callback extends Extensible {
  readonly [expression: `{${string}` | `$${string}` | `http${string}` | `/${string}`]: PathItem
}

/** An example of a value, with either `value` or `externalValue` (OpenAPI 3.1.1 §4.8.19). */
export interface Example extends Extensible {
  /** One line. */
  readonly summary?: string
  /** May hold CommonMark. */
  readonly description?: string
  /** The value itself; excludes `externalValue`. */
  readonly value?: unknown
  /** A URI that leads to the value. */
  readonly externalValue?: string
}

/**
 * A possible next request after a response, with either `operationRef` or `operationId` (OpenAPI 3.1.1
 * §4.8.20).
 */
export interface Link extends Extensible {
  /** A URI reference to an operation. */
  readonly operationRef?: string
  /** The operation, by its operationId; excludes `operationRef`. */
  readonly operationId?: string
  /** Values or runtime expressions by parameter, which `path.` and the like may qualify. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** A value or a runtime expression. */
  readonly requestBody?: unknown
  /** May hold CommonMark. */
  readonly description?: string
  /** Used instead of the servers of the operation. */
  readonly server?: Server
}

/** A header of a response or of a part, named by its key (OpenAPI 3.1.1 §4.8.21). */
export interface Header extends Extensible {
  /** May hold CommonMark. */
  readonly description?: string
  /** False by default. */
  readonly required?: boolean
  /** False by default. */
  readonly deprecated?: boolean
  /** `simple` by default; the only style of headers. */
  readonly style?: 'simple'
  /** Whether the members of an object are sent as `name=value`; false by default. */
  readonly explode?: boolean
  /** The schema of the value; excludes `content`. */
  readonly schema?: Schema
  /** Excludes `examples`. */
  readonly example?: unknown
  /** Examples by name. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** One media type with its schema, for values that no style can serialize. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** A tag of operations (OpenAPI 3.1.1 §4.8.22). */
export interface Tag extends Extensible {
  /** Unique in the document, and case-sensitive. */
  readonly name: string
  /** May hold CommonMark. */
  readonly description?: string
  /** More about it elsewhere. */
  readonly externalDocs?: ExternalDocumentation
}

/** A reference to another object (OpenAPI 3.1.1 §4.8.23). It cannot have extensions. */
export interface Reference {
  /** A URI reference. */
  readonly $ref: string
  /** Replaces the summary of the referenced object. */
  readonly summary?: string
  /** Replaces the description of the referenced object. */
  readonly description?: string
}

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it (OpenAPI 3.1.1 §4.8.24). */
export type Schema = boolean | SchemaObject

/** A JSON Schema with its keywords; those that OpenAPI adds are typed (OpenAPI 3.1.1 §4.8.24). */
export interface SchemaObject {
  readonly [keyword: string]: unknown
  /** The property that says which alternative a value is (§4.8.25). */
  readonly discriminator?: Discriminator
  /** How it is written in XML (§4.8.26). */
  readonly xml?: XML
  /** More about it elsewhere. */
  readonly externalDocs?: ExternalDocumentation
  /** Deprecated by OpenAPI: `examples` of JSON Schema says more. */
  readonly example?: unknown
}

/** Which schema of `oneOf` or `anyOf` a value has, told by one property (OpenAPI 3.1.1 §4.8.25). */
export interface Discriminator extends Extensible {
  /** The property, which every one of the schemas requires. */
  readonly propertyName: string
  /** Names of schemas or URI references by value of the property; its value is the name by default. */
  readonly mapping?: Readonly<Record<string, string>>
}

/** How a property is written in XML (OpenAPI 3.1.1 §4.8.26). */
export interface XML extends Extensible {
  /** The name of the element or attribute; that of the property by default. */
  readonly name?: string
  /** A URI. */
  readonly namespace?: string
  /** The prefix of the name. */
  readonly prefix?: string
  /** Whether it is an attribute; false by default. */
  readonly attribute?: boolean
  /** Whether a list has an element of its own around its items; false by default. */
  readonly wrapped?: boolean
}

/** A way of authentication (OpenAPI 3.1.1 §4.8.27). */
export type SecurityScheme =
  | HttpSecurityScheme
  | ApiKeySecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme
  | MutualTLSSecurityScheme

/** A scheme of the `Authorization` header (OpenAPI 3.1.1 §4.8.27). */
export interface HttpSecurityScheme extends Extensible {
  /** The kind of scheme. */
  readonly type: 'http'
  /** A scheme of the IANA registry, such as `bearer`. */
  readonly scheme: string
  /** The format of a bearer token, such as `JWT`; documentation only. */
  readonly bearerFormat?: string
  /** May hold CommonMark. */
  readonly description?: string
}

/** A key in a query, a header or a cookie (OpenAPI 3.1.1 §4.8.27). */
export interface ApiKeySecurityScheme extends Extensible {
  /** The kind of scheme. */
  readonly type: 'apiKey'
  /** The part of the request that carries it. */
  readonly in: 'query' | 'header' | 'cookie'
  /** The name of the parameter, header or cookie. */
  readonly name: string
  /** May hold CommonMark. */
  readonly description?: string
}

/** OAuth 2.0 (OpenAPI 3.1.1 §4.8.27). */
export interface OAuth2SecurityScheme extends Extensible {
  /** The kind of scheme. */
  readonly type: 'oauth2'
  /** The flows that the scheme supports, each with its URLs and scopes. */
  readonly flows: OAuthFlows
  /** May hold CommonMark. */
  readonly description?: string
}

/** OpenID Connect Discovery (OpenAPI 3.1.1 §4.8.27). */
export interface OpenIdConnectSecurityScheme extends Extensible {
  /** The kind of scheme. */
  readonly type: 'openIdConnect'
  /** Where the provider's metadata is. */
  readonly openIdConnectUrl: string
  /** May hold CommonMark. */
  readonly description?: string
}

/** A client certificate (OpenAPI 3.1.1 §4.8.27). */
export interface MutualTLSSecurityScheme extends Extensible {
  /** The kind of scheme. */
  readonly type: 'mutualTLS'
  /** May hold CommonMark. */
  readonly description?: string
}

/** The flows of OAuth 2.0 (OpenAPI 3.1.1 §4.8.28). */
export interface OAuthFlows extends Extensible {
  /** RFC 6749 §4.2. */
  readonly implicit?: OAuthFlow & { readonly authorizationUrl: string }
  /** RFC 6749 §4.3. */
  readonly password?: OAuthFlow & { readonly tokenUrl: string }
  /** RFC 6749 §4.4. */
  readonly clientCredentials?: OAuthFlow & { readonly tokenUrl: string }
  /** RFC 6749 §4.1. */
  readonly authorizationCode?: OAuthFlow & {
    readonly authorizationUrl: string
    readonly tokenUrl: string
  }
}

/** The fields of all flows (OpenAPI 3.1.1 §4.8.29). */
export interface OAuthFlow extends Extensible {
  /** Where refresh tokens are exchanged. */
  readonly refreshUrl?: string
  /** Scope names with a description of each. */
  readonly scopes: Readonly<Record<string, string>>
}

/** Scheme names with the scopes that each has to grant; all of them together (OpenAPI 3.1.1 §4.8.30). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>
