/**
 * The members whose names start with `x-` (OpenAPI 3.1.1 §4.9). Every object may have them, except
 * the Reference Object and the Security Requirement Object; a schema may have any keyword.
 */
export interface Extensible {
  /** An extension's value: any JSON value (§4.9). */
  readonly [extension: `x-${string}`]: unknown
}

/** The root of an OpenAPI document (OpenAPI 3.1.1 §4.8.1). */
export interface Document extends Extensible {
  /** The document's OpenAPI version, such as `3.1.1`. */
  readonly openapi: string
  /** The URI for the schemas' default JSON Schema dialect (§4.8.24.5). */
  readonly jsonSchemaDialect?: string
  /** The API's title, version and contacts. */
  readonly info: Info
  /** The API's servers; one server with the url `/` by default. */
  readonly servers?: readonly Server[]
  /** The operation tags, in the order in which tools show them. */
  readonly tags?: readonly Tag[]
  /** The API's security requirements. A request must satisfy one. */
  readonly security?: readonly SecurityRequirement[]
  /** The API's operations by path. */
  readonly paths?: Paths
  /** The requests the API may send to its users, by name. */
  readonly webhooks?: Readonly<Record<string, PathItem>>
  /** The objects named by references in the document. */
  readonly components?: Components
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
}

/** An API's title, version and contacts (OpenAPI 3.1.1 §4.8.2). */
export interface Info extends Extensible {
  /** The API's name. */
  readonly title: string
  /** The API document's version, independent of the OpenAPI version. */
  readonly version: string
  /** The API's summary in one line. */
  readonly summary?: string
  /** The API's description, which may contain CommonMark. */
  readonly description?: string
  /** The URI for the terms of service. */
  readonly termsOfService?: string
  /** The contact for questions about the API. */
  readonly contact?: Contact
  /** The API's license. */
  readonly license?: License
}

/** The contact for questions about an API (OpenAPI 3.1.1 §4.8.3). */
export interface Contact extends Extensible {
  /** The contact's name: a person or an organization. */
  readonly name?: string
  /** The URI for a page about the contact. */
  readonly url?: string
  /** The contact's email address. */
  readonly email?: string
}

/** An API's license (OpenAPI 3.1.1 §4.8.4). */
export interface License extends Extensible {
  /** The license's name. */
  readonly name: string
  /** The license's SPDX expression; excludes `url`. */
  readonly identifier?: string
  /** The license's URI; excludes `identifier`. */
  readonly url?: string
}

/** An API server (OpenAPI 3.1.1 §4.8.5). */
export interface Server extends Extensible {
  /** The server's url, which may contain variables in braces, such as `https://{region}.example.com`. */
  readonly url: string
  /** The server's description, which may contain CommonMark. */
  readonly description?: string
  /** The variables in `url` by name. */
  readonly variables?: Readonly<Record<string, ServerVariable>>
}

/** A variable in a server's url (OpenAPI 3.1.1 §4.8.6). */
export interface ServerVariable extends Extensible {
  /** The value if the client does not choose one; must be in `enum` if that is present. */
  readonly default: string
  /** The values a client may choose, at least one. */
  readonly enum?: readonly string[]
  /** The variable's description, which may contain CommonMark. */
  readonly description?: string
}

/** The objects named by references. Their names match `^[a-zA-Z0-9._-]+$` (OpenAPI 3.1.1 §4.8.7). */
export interface Components extends Extensible {
  /** Named schemas, referred to as `#/components/schemas/{name}`. */
  readonly schemas?: Readonly<Record<string, Schema>>
  /** Named responses. */
  readonly responses?: Readonly<Record<string, Response | Reference>>
  /** Named parameters. */
  readonly parameters?: Readonly<Record<string, Parameter | Reference>>
  /** Named examples. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** Named request bodies. */
  readonly requestBodies?: Readonly<Record<string, RequestBody | Reference>>
  /** Named headers. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The security schemes by the name security requirements use. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
  /** Named links. */
  readonly links?: Readonly<Record<string, Link | Reference>>
  /** Named callbacks. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** Named path items. */
  readonly pathItems?: Readonly<Record<string, PathItem>>
}

/** An API's path items by path (OpenAPI 3.1.1 §4.8.8). */
export interface Paths extends Extensible {
  /** The path item for a path template such as `/books/{bookId}`. */
  readonly [path: `/${string}`]: PathItem
}

/** The methods with a field in a path item (OpenAPI 3.1.1 §4.8.9); `query` only since OpenAPI 3.2.0 §4.8.1. */
export type Method =
  | 'get'
  | 'put'
  | 'post'
  | 'delete'
  | 'options'
  | 'head'
  | 'patch'
  | 'trace'
  | 'query'

/** A path's operations by method (OpenAPI 3.1.1 §4.8.9). */
export interface PathItem extends Readonly<Partial<Record<Method, Operation>>>, Extensible {
  /** The URI reference to another path item; the behavior with other fields next to it is undefined. */
  readonly $ref?: string
  /** A one-line summary for all operations on the path. */
  readonly summary?: string
  /** A description for all operations on the path, which may contain CommonMark. */
  readonly description?: string
  /** The servers for all operations on the path, instead of the document's servers. */
  readonly servers?: readonly Server[]
  /** The parameters for all operations on the path. */
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** One API operation (OpenAPI 3.1.1 §4.8.10). */
export interface Operation extends Extensible {
  /** Tag names, which group the operation with others. */
  readonly tags?: readonly string[]
  /** The operation's summary in one line. */
  readonly summary?: string
  /** The operation's description, which may contain CommonMark. */
  readonly description?: string
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
  /** The operation's name, unique in the document and case-sensitive. */
  readonly operationId?: string
  /** The parameters, unique by `name` and `in`. */
  readonly parameters?: readonly (Parameter | Reference)[]
  /** The request body. */
  readonly requestBody?: RequestBody | Reference
  /** The responses by status. */
  readonly responses?: Responses
  /** The requests the API may send as a consequence, by name. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** Whether clients should stop using the operation; defaults to false. */
  readonly deprecated?: boolean
  /** The security requirements, instead of the document's; an empty list means no authentication. */
  readonly security?: readonly SecurityRequirement[]
  /** The operation's servers, instead of the path's and the document's servers. */
  readonly servers?: readonly Server[]
}

/** A link to further documentation (OpenAPI 3.1.1 §4.8.11). */
export interface ExternalDocumentation extends Extensible {
  /** The documentation's URI. */
  readonly url: string
  /** The documentation's description, which may contain CommonMark. */
  readonly description?: string
}

/** An operation's parameter, with either `schema` or `content` (OpenAPI 3.1.1 §4.8.12). */
export interface Parameter extends Extensible {
  /** The parameter's name, case-sensitive except in a header. */
  readonly name: string
  /** The part of the request that contains the parameter. */
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** The parameter's description, which may contain CommonMark. */
  readonly description?: string
  /** Whether the parameter must be sent; defaults to false, and is true for a path parameter. */
  readonly required?: boolean
  /** Whether clients should stop using the parameter; defaults to false. */
  readonly deprecated?: boolean
  /** Whether a query parameter may be sent with an empty value; OpenAPI deprecates this field. */
  readonly allowEmptyValue?: boolean
  /** The value's serialization; defaults to `form` in a query and a cookie, `simple` in a path and a header. */
  readonly style?: Style
  /** Whether each value of a list or an object is sent separately; defaults to true for `form`. */
  readonly explode?: boolean
  /** Whether reserved characters are sent without percent-encoding; defaults to false. */
  readonly allowReserved?: boolean
  /** The value's schema; excludes `content`. */
  readonly schema?: Schema
  /** An example value; excludes `examples`. */
  readonly example?: unknown
  /** Named example values; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The media type and schema for a value no style can serialize; excludes `schema`. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** The serialization for a parameter or form field (OpenAPI 3.1.1 §4.8.12.3). */
export type Style =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'

/** A request body (OpenAPI 3.1.1 §4.8.13). */
export interface RequestBody extends Extensible {
  /** The body's description, which may contain CommonMark. */
  readonly description?: string
  /** The body's content by media type or media range. */
  readonly content: Readonly<Record<string, MediaType>>
  /** Whether the body must be sent; defaults to false. */
  readonly required?: boolean
}

/** A body's content in one media type (OpenAPI 3.1.1 §4.8.14). */
export interface MediaType extends Extensible {
  /** The body's schema. */
  readonly schema?: Schema
  /** The schema for each part in a stream, since OpenAPI 3.2.0 (§4.14.1). */
  readonly itemSchema?: Schema
  /** An example body; excludes `examples`. */
  readonly example?: unknown
  /** Named example bodies; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The encoding for each form property. */
  readonly encoding?: Readonly<Record<string, Encoding>>
}

/** The encoding for one form property (OpenAPI 3.1.1 §4.8.15). */
export interface Encoding extends Extensible {
  /** The property's media types or media ranges, separated by commas. */
  readonly contentType?: string
  /** The part's headers in a multipart body, by name; `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The property's style, as for a query parameter; if present, the default `contentType` is ignored. */
  readonly style?: Style
  /** Whether each value of a list or an object is sent separately, as for a query parameter. */
  readonly explode?: boolean
  /** Whether reserved characters are sent without percent-encoding, as for a query parameter. */
  readonly allowReserved?: boolean
}

/** An operation's responses by status code, by range such as `4XX`, or `default` (OpenAPI 3.1.1 §4.8.16). */
export interface Responses
  extends Readonly<Partial<Record<`${1 | 2 | 3 | 4 | 5}XX` | 'default', Response | Reference>>>,
    Extensible {
  /** The response for a status code. */
  readonly [status: number]: Response | Reference
}

/** One response of an operation (OpenAPI 3.1.1 §4.8.17). */
export interface Response extends Extensible {
  /** The response's description, which may contain CommonMark. */
  readonly description: string
  /** The headers by name, in any letter case; `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The body's content by media type or media range. */
  readonly content?: Readonly<Record<string, MediaType>>
  /** Named links. */
  readonly links?: Readonly<Record<string, Link | Reference>>
}

/** The requests an API may send as a consequence of an operation (OpenAPI 3.1.1 §4.8.18). */
export interface Callback extends Extensible {
  /** The path item for a url computed from an expression, such as `{$request.body#/callbackUrl}`. */
  readonly [expression: `{${string}` | `$${string}` | `http${string}` | `/${string}`]: PathItem
}

/** An example value, with either `value` or `externalValue` (OpenAPI 3.1.1 §4.8.19). */
export interface Example extends Extensible {
  /** The example's summary in one line. */
  readonly summary?: string
  /** The example's description, which may contain CommonMark. */
  readonly description?: string
  /** The value itself; excludes `externalValue`. */
  readonly value?: unknown
  /** The value's URI; excludes `value`. */
  readonly externalValue?: string
}

/** A possible next request after a response, with either `operationRef` or `operationId` (OpenAPI 3.1.1 §4.8.20). */
export interface Link extends Extensible {
  /** The URI reference to the operation; excludes `operationId`. */
  readonly operationRef?: string
  /** The operation's name; excludes `operationRef`. */
  readonly operationId?: string
  /** Values or runtime expressions by parameter name, optionally after a location such as `path.`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The value or runtime expression for the body. */
  readonly requestBody?: unknown
  /** The link's description, which may contain CommonMark. */
  readonly description?: string
  /** The request's server, instead of the operation's servers. */
  readonly server?: Server
}

/** A header in a response or part. Its key is the name (OpenAPI 3.1.1 §4.8.21). */
export interface Header extends Extensible {
  /** The header's description, which may contain CommonMark. */
  readonly description?: string
  /** Whether the header is always sent; defaults to false. */
  readonly required?: boolean
  /** Whether clients should stop using the header; defaults to false. */
  readonly deprecated?: boolean
  /** The value's serialization, always `simple`. */
  readonly style?: 'simple'
  /** Whether an object's members are sent as `name=value`; defaults to false. */
  readonly explode?: boolean
  /** The value's schema; excludes `content`. */
  readonly schema?: Schema
  /** An example value; excludes `examples`. */
  readonly example?: unknown
  /** Named example values; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The media type and schema for a value no style can serialize; excludes `schema`. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** A tag for operations (OpenAPI 3.1.1 §4.8.22). */
export interface Tag extends Extensible {
  /** The tag's name, unique in the document and case-sensitive. */
  readonly name: string
  /** The tag's description, which may contain CommonMark. */
  readonly description?: string
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
}

/** A reference to another object, which cannot have extensions (OpenAPI 3.1.1 §4.8.23). */
export interface Reference {
  /** The URI reference to the object. */
  readonly $ref: string
  /** Replaces the object's summary. */
  readonly summary?: string
  /** Replaces the object's description. */
  readonly description?: string
}

/** A JSON Schema (draft 2020-12), as used in OpenAPI 3.1 (OpenAPI 3.1.1 §4.8.24). */
export type Schema = boolean | SchemaObject

/** A JSON Schema. Only the keywords OpenAPI adds are typed (OpenAPI 3.1.1 §4.8.24). */
export interface SchemaObject {
  /** The value for a keyword from JSON Schema or another vocabulary (§4.8.24.2). */
  readonly [keyword: string]: unknown
  /** The property whose value selects an alternative (§4.8.25). */
  readonly discriminator?: Discriminator
  /** A property's representation in XML (§4.8.26). */
  readonly xml?: XML
  /** A link to further documentation (§4.8.11). */
  readonly externalDocs?: ExternalDocumentation
  /** An example of the value; OpenAPI deprecates it in favor of `examples`. */
  readonly example?: unknown
}

/** The property whose value selects a schema in `oneOf` or `anyOf` (OpenAPI 3.1.1 §4.8.25). */
export interface Discriminator extends Extensible {
  /** The property's name. Every schema requires this property. */
  readonly propertyName: string
  /** Schema names or URI references by property value; a value not listed here is itself the name. */
  readonly mapping?: Readonly<Record<string, string>>
}

/** A property's representation in XML (OpenAPI 3.1.1 §4.8.26). */
export interface XML extends Extensible {
  /** The element's or attribute's name; defaults to the property's name. */
  readonly name?: string
  /** The namespace's URI. */
  readonly namespace?: string
  /** The name's prefix. */
  readonly prefix?: string
  /** Whether the property is an attribute; defaults to false. */
  readonly attribute?: boolean
  /** Whether an additional element contains a list's items; defaults to false. */
  readonly wrapped?: boolean
}

/** A security scheme (OpenAPI 3.1.1 §4.8.27). */
export type SecurityScheme =
  | HttpSecurityScheme
  | ApiKeySecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme
  | MutualTLSSecurityScheme

/** An authentication scheme for the `Authorization` header (OpenAPI 3.1.1 §4.8.27). */
export interface HttpSecurityScheme extends Extensible {
  /** The security scheme's type. */
  readonly type: 'http'
  /** The scheme's name in the IANA registry, such as `bearer`. */
  readonly scheme: string
  /** The bearer token's format, such as `JWT`, for readers only. */
  readonly bearerFormat?: string
  /** The scheme's description, which may contain CommonMark. */
  readonly description?: string
}

/** A key in a query, a header or a cookie (OpenAPI 3.1.1 §4.8.27). */
export interface ApiKeySecurityScheme extends Extensible {
  /** The security scheme's type. */
  readonly type: 'apiKey'
  /** The part of the request that contains the key. */
  readonly in: 'query' | 'header' | 'cookie'
  /** The key's name in the query, header or cookie. */
  readonly name: string
  /** The scheme's description, which may contain CommonMark. */
  readonly description?: string
}

/** OAuth 2.0 (OpenAPI 3.1.1 §4.8.27). */
export interface OAuth2SecurityScheme extends Extensible {
  /** The security scheme's type. */
  readonly type: 'oauth2'
  /** The flows the scheme supports, each with its URLs and scopes. */
  readonly flows: OAuthFlows
  /** The scheme's description, which may contain CommonMark. */
  readonly description?: string
}

/** OpenID Connect Discovery (OpenAPI 3.1.1 §4.8.27). */
export interface OpenIdConnectSecurityScheme extends Extensible {
  /** The security scheme's type. */
  readonly type: 'openIdConnect'
  /** The URL of the provider's discovery document. */
  readonly openIdConnectUrl: string
  /** The scheme's description, which may contain CommonMark. */
  readonly description?: string
}

/** A client certificate (OpenAPI 3.1.1 §4.8.27). */
export interface MutualTLSSecurityScheme extends Extensible {
  /** The security scheme's type. */
  readonly type: 'mutualTLS'
  /** The scheme's description, which may contain CommonMark. */
  readonly description?: string
}

/** OAuth 2.0 flows (OpenAPI 3.1.1 §4.8.28). */
export interface OAuthFlows extends Extensible {
  /** The implicit flow (RFC 6749 §4.2). */
  readonly implicit?: OAuthFlow & { readonly authorizationUrl: string }
  /** The flow with the resource owner's password (RFC 6749 §4.3). */
  readonly password?: OAuthFlow & { readonly tokenUrl: string }
  /** The flow with client credentials (RFC 6749 §4.4). */
  readonly clientCredentials?: OAuthFlow & { readonly tokenUrl: string }
  /** The flow with an authorization code (RFC 6749 §4.1). */
  readonly authorizationCode?: OAuthFlow & {
    readonly authorizationUrl: string
    readonly tokenUrl: string
  }
}

/** The fields in all flows (OpenAPI 3.1.1 §4.8.29). */
export interface OAuthFlow extends Extensible {
  /** The URL where a client exchanges a refresh token. */
  readonly refreshUrl?: string
  /** Scope descriptions by name. */
  readonly scopes: Readonly<Record<string, string>>
}

/** The security schemes a request must satisfy together, each with its required scopes (OpenAPI 3.1.1 §4.8.30). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>
