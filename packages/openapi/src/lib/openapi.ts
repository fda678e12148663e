/**
 * The members whose names start with `x-` (OpenAPI 3.1.1 §4.9). Every object may have them, except
 * the Reference Object and the Security Requirement Object; a schema may have any keyword.
 */
export interface Extensible {
  /** The value of an extension, which may be any JSON value (§4.9). */
  readonly [extension: `x-${string}`]: unknown
}

/** The root of an OpenAPI document (OpenAPI 3.1.1 §4.8.1). */
export interface Document extends Extensible {
  /** The version of OpenAPI that the document conforms to, such as `3.1.1`. */
  readonly openapi: string
  /** The URI of the JSON Schema dialect that schemas use by default (§4.8.24.5). */
  readonly jsonSchemaDialect?: string
  /** The title, version and contacts of the API. */
  readonly info: Info
  /** The servers of the API; one server with the url `/` by default. */
  readonly servers?: readonly Server[]
  /** The tags of operations, in the order in which tools show them. */
  readonly tags?: readonly Tag[]
  /** The security requirements of the API, of which an operation must satisfy one. */
  readonly security?: readonly SecurityRequirement[]
  /** The operations of the API by path. */
  readonly paths?: Paths
  /** The requests that the API may send to its users, by name. */
  readonly webhooks?: Readonly<Record<string, PathItem>>
  /** The objects that references of the document name. */
  readonly components?: Components
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
}

/** The title, version and contacts of an API (OpenAPI 3.1.1 §4.8.2). */
export interface Info extends Extensible {
  /** The name of the API. */
  readonly title: string
  /** The version of the API document, which is independent of the version of OpenAPI. */
  readonly version: string
  /** A summary of the API in one line. */
  readonly summary?: string
  /** A description of the API, which may contain CommonMark. */
  readonly description?: string
  /** The URI of the terms of service. */
  readonly termsOfService?: string
  /** The contact for questions about the API. */
  readonly contact?: Contact
  /** The license of the API. */
  readonly license?: License
}

/** The contact for questions about an API (OpenAPI 3.1.1 §4.8.3). */
export interface Contact extends Extensible {
  /** The name of a person or an organization. */
  readonly name?: string
  /** The URI of a page about the contact. */
  readonly url?: string
  /** The email address of the contact. */
  readonly email?: string
}

/** The license of an API (OpenAPI 3.1.1 §4.8.4). */
export interface License extends Extensible {
  /** The license's name. */
  readonly name: string
  /** The SPDX expression of the license; excludes `url`. */
  readonly identifier?: string
  /** The URI of the license; excludes `identifier`. */
  readonly url?: string
}

/** A server of an API (OpenAPI 3.1.1 §4.8.5). */
export interface Server extends Extensible {
  /**
   * The url of the server, which may contain variables in braces, such as
   * `https://{region}.example.com`.
   */
  readonly url: string
  /** A description of the server, which may contain CommonMark. */
  readonly description?: string
  /** The variables of `url` by name. */
  readonly variables?: Readonly<Record<string, ServerVariable>>
}

/** A variable in the url of a server (OpenAPI 3.1.1 §4.8.6). */
export interface ServerVariable extends Extensible {
  /** The value if the client does not choose one; must be in `enum` if that is present. */
  readonly default: string
  /** The values a client may choose, at least one. */
  readonly enum?: readonly string[]
  /** A description of the variable, which may contain CommonMark. */
  readonly description?: string
}

/**
 * The objects that references name, with names that match `^[a-zA-Z0-9._-]+$` (OpenAPI 3.1.1
 * §4.8.7).
 */
export interface Components extends Extensible {
  /** The schemas by name, referred to as `#/components/schemas/{name}`. */
  readonly schemas?: Readonly<Record<string, Schema>>
  /** The responses by name. */
  readonly responses?: Readonly<Record<string, Response | Reference>>
  /** The parameters by name. */
  readonly parameters?: Readonly<Record<string, Parameter | Reference>>
  /** The examples by name. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The request bodies by name. */
  readonly requestBodies?: Readonly<Record<string, RequestBody | Reference>>
  /** The headers by name. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The security schemes by the name that security requirements use. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
  /** The links by name. */
  readonly links?: Readonly<Record<string, Link | Reference>>
  /** The callbacks by name. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** The path items by name. */
  readonly pathItems?: Readonly<Record<string, PathItem>>
}

/** The path items of an API by path (OpenAPI 3.1.1 §4.8.8). */
export interface Paths extends Extensible {
  /** The path item of a path template such as `/books/{bookId}`. */
  readonly [path: `/${string}`]: PathItem
}

/** The methods that a path item has a field for (OpenAPI 3.1.1 §4.8.9); `query` only since OpenAPI 3.2.0 §4.8.1. */
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

/** The operations of a path by method (OpenAPI 3.1.1 §4.8.9). */
export interface PathItem extends Readonly<Partial<Record<Method, Operation>>>, Extensible {
  /**
   * The URI reference of another path item; the behavior of other fields next to it is undefined.
   */
  readonly $ref?: string
  /** A summary of all operations of the path in one line. */
  readonly summary?: string
  /** A description of all operations of the path, which may contain CommonMark. */
  readonly description?: string
  /** The servers of all operations of the path, instead of the document's servers. */
  readonly servers?: readonly Server[]
  /** The parameters of all operations of the path. */
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** One operation of an API (OpenAPI 3.1.1 §4.8.10). */
export interface Operation extends Extensible {
  /** The names of the tags that group the operation with others. */
  readonly tags?: readonly string[]
  /** A summary of the operation in one line. */
  readonly summary?: string
  /** A description of the operation, which may contain CommonMark. */
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
  /** The requests that the API may send in consequence of the operation, by name. */
  readonly callbacks?: Readonly<Record<string, Callback | Reference>>
  /** Whether clients should stop using the operation; false by default. */
  readonly deprecated?: boolean
  /**
   * The security requirements, instead of the document's; an empty list means no authentication.
   */
  readonly security?: readonly SecurityRequirement[]
  /** The operation's servers, instead of those of the path and of the document. */
  readonly servers?: readonly Server[]
}

/** A link to further documentation (OpenAPI 3.1.1 §4.8.11). */
export interface ExternalDocumentation extends Extensible {
  /** The URI of the documentation. */
  readonly url: string
  /** A description of the documentation, which may contain CommonMark. */
  readonly description?: string
}

/** A parameter of an operation, with either `schema` or `content` (OpenAPI 3.1.1 §4.8.12). */
export interface Parameter extends Extensible {
  /** The parameter's name, case-sensitive except in a header. */
  readonly name: string
  /** The part of the request that contains the parameter. */
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** A description of the parameter, which may contain CommonMark. */
  readonly description?: string
  /** Whether the parameter must be sent; false by default, and true for a path parameter. */
  readonly required?: boolean
  /** Whether clients should stop using the parameter; false by default. */
  readonly deprecated?: boolean
  /** Whether a query parameter may be sent with an empty value; OpenAPI deprecates this field. */
  readonly allowEmptyValue?: boolean
  /**
   * The value's serialization; `form` by default in a query and a cookie, `simple` in a path
   * and a header.
   */
  readonly style?: Style
  /** Whether each value of a list or an object is sent separately; true by default for `form`. */
  readonly explode?: boolean
  /** Whether reserved characters are sent without percent-encoding; false by default. */
  readonly allowReserved?: boolean
  /** The value's schema; excludes `content`. */
  readonly schema?: Schema
  /** An example of the value; excludes `examples`. */
  readonly example?: unknown
  /** The examples of the value by name; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The media type and schema of a value that no style can serialize; excludes `schema`. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** The serialization of a parameter or of a field of a form (OpenAPI 3.1.1 §4.8.12.3). */
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
  /** A description of the body, which may contain CommonMark. */
  readonly description?: string
  /** The content of the body by media type or media range. */
  readonly content: Readonly<Record<string, MediaType>>
  /** Whether the body must be sent; false by default. */
  readonly required?: boolean
}

/** The content of a body of one media type (OpenAPI 3.1.1 §4.8.14). */
export interface MediaType extends Extensible {
  /** The body's schema. */
  readonly schema?: Schema
  /** The schema of each part of a stream, since OpenAPI 3.2.0 (§4.14.1). */
  readonly itemSchema?: Schema
  /** An example of the body; excludes `examples`. */
  readonly example?: unknown
  /** The examples of the body by name; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The encoding of each property of a form, by name. */
  readonly encoding?: Readonly<Record<string, Encoding>>
}

/** The encoding of one property of a form (OpenAPI 3.1.1 §4.8.15). */
export interface Encoding extends Extensible {
  /** The media types or media ranges of the property, separated by commas. */
  readonly contentType?: string
  /** The part's headers in a multipart body, by name; `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /**
   * The property's style, as for a query parameter; if present, the default of `contentType`
   * is ignored.
   */
  readonly style?: Style
  /** Whether each value of a list or an object is sent separately, as for a query parameter. */
  readonly explode?: boolean
  /** Whether reserved characters are sent without percent-encoding, as for a query parameter. */
  readonly allowReserved?: boolean
}

/**
 * The responses of an operation by status code, by range such as `4XX`, or `default` (OpenAPI 3.1.1
 * §4.8.16).
 */
export interface Responses
  extends Readonly<Partial<Record<`${1 | 2 | 3 | 4 | 5}XX` | 'default', Response | Reference>>>,
    Extensible {
  /** The response of a status code. */
  readonly [status: number]: Response | Reference
}

/** One response of an operation (OpenAPI 3.1.1 §4.8.17). */
export interface Response extends Extensible {
  /** A description of the response, which may contain CommonMark. */
  readonly description: string
  /** The headers by name, in any letter case; `Content-Type` is ignored. */
  readonly headers?: Readonly<Record<string, Header | Reference>>
  /** The content of the body by media type or media range. */
  readonly content?: Readonly<Record<string, MediaType>>
  /** The links by name. */
  readonly links?: Readonly<Record<string, Link | Reference>>
}

/** The requests that an API may send in consequence of an operation (OpenAPI 3.1.1 §4.8.18). */
export interface Callback extends Extensible {
  /** The path item of a url an expression computes, such as `{$request.body#/callbackUrl}`. */
  readonly [expression: `{${string}` | `$${string}` | `http${string}` | `/${string}`]: PathItem
}

/** An example of a value, with either `value` or `externalValue` (OpenAPI 3.1.1 §4.8.19). */
export interface Example extends Extensible {
  /** A summary of the example in one line. */
  readonly summary?: string
  /** A description of the example, which may contain CommonMark. */
  readonly description?: string
  /** The value itself; excludes `externalValue`. */
  readonly value?: unknown
  /** The URI of the value; excludes `value`. */
  readonly externalValue?: string
}

/**
 * A request that may follow a response, with either `operationRef` or `operationId` (OpenAPI 3.1.1
 * §4.8.20).
 */
export interface Link extends Extensible {
  /** The URI reference of the operation; excludes `operationId`. */
  readonly operationRef?: string
  /** The operationId of the operation; excludes `operationRef`. */
  readonly operationId?: string
  /**
   * The values or runtime expressions by parameter, whose name a location such as `path.` may
   * precede.
   */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The value or runtime expression of the body. */
  readonly requestBody?: unknown
  /** A description of the link, which may contain CommonMark. */
  readonly description?: string
  /** The request's server, instead of the operation's servers. */
  readonly server?: Server
}

/** A header of a response or of a part, whose name is its key (OpenAPI 3.1.1 §4.8.21). */
export interface Header extends Extensible {
  /** A description of the header, which may contain CommonMark. */
  readonly description?: string
  /** Whether the header is always sent; false by default. */
  readonly required?: boolean
  /** Whether clients should stop using the header; false by default. */
  readonly deprecated?: boolean
  /** The serialization of the value, which is always `simple`. */
  readonly style?: 'simple'
  /** Whether the members of an object are sent as `name=value`; false by default. */
  readonly explode?: boolean
  /** The value's schema; excludes `content`. */
  readonly schema?: Schema
  /** An example of the value; excludes `examples`. */
  readonly example?: unknown
  /** The examples of the value by name; excludes `example`. */
  readonly examples?: Readonly<Record<string, Example | Reference>>
  /** The media type and schema of a value that no style can serialize; excludes `schema`. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** A tag of operations (OpenAPI 3.1.1 §4.8.22). */
export interface Tag extends Extensible {
  /** The tag's name, unique in the document and case-sensitive. */
  readonly name: string
  /** A description of the tag, which may contain CommonMark. */
  readonly description?: string
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
}

/** A reference to another object, which cannot have extensions (OpenAPI 3.1.1 §4.8.23). */
export interface Reference {
  /** The URI reference of the object. */
  readonly $ref: string
  /** The summary that replaces the one of the object. */
  readonly summary?: string
  /** The description that replaces the one of the object. */
  readonly description?: string
}

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it (OpenAPI 3.1.1 §4.8.24). */
export type Schema = boolean | SchemaObject

/**
 * A JSON Schema with its keywords, of which those that OpenAPI adds are typed (OpenAPI 3.1.1
 * §4.8.24).
 */
export interface SchemaObject {
  /** The value of a keyword of JSON Schema or of another vocabulary (§4.8.24.2). */
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

/**
 * The property whose value selects one of the schemas in `oneOf` or `anyOf` (OpenAPI 3.1.1
 * §4.8.25).
 */
export interface Discriminator extends Extensible {
  /** The name of the property, which every one of the schemas requires. */
  readonly propertyName: string
  /**
   * The schema names or URI references by value of the property; by default, the value is the name.
   */
  readonly mapping?: Readonly<Record<string, string>>
}

/** A property's representation in XML (OpenAPI 3.1.1 §4.8.26). */
export interface XML extends Extensible {
  /** The name of the element or attribute; the name of the property by default. */
  readonly name?: string
  /** The URI of the namespace. */
  readonly namespace?: string
  /** The name's prefix. */
  readonly prefix?: string
  /** Whether the property is an attribute; false by default. */
  readonly attribute?: boolean
  /** Whether an additional element contains a list's items; false by default. */
  readonly wrapped?: boolean
}

/** A security scheme (OpenAPI 3.1.1 §4.8.27). */
export type SecurityScheme =
  | HttpSecurityScheme
  | ApiKeySecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme
  | MutualTLSSecurityScheme

/** An authentication scheme of the `Authorization` header (OpenAPI 3.1.1 §4.8.27). */
export interface HttpSecurityScheme extends Extensible {
  /** The type of the security scheme. */
  readonly type: 'http'
  /** The scheme's name in the IANA registry, such as `bearer`. */
  readonly scheme: string
  /** The format of a bearer token, such as `JWT`, for readers only. */
  readonly bearerFormat?: string
  /** A description of the scheme, which may contain CommonMark. */
  readonly description?: string
}

/** A key in a query, a header or a cookie (OpenAPI 3.1.1 §4.8.27). */
export interface ApiKeySecurityScheme extends Extensible {
  /** The type of the security scheme. */
  readonly type: 'apiKey'
  /** The part of the request that contains the key. */
  readonly in: 'query' | 'header' | 'cookie'
  /** The name of the query parameter, header or cookie. */
  readonly name: string
  /** A description of the scheme, which may contain CommonMark. */
  readonly description?: string
}

/** OAuth 2.0 (OpenAPI 3.1.1 §4.8.27). */
export interface OAuth2SecurityScheme extends Extensible {
  /** The type of the security scheme. */
  readonly type: 'oauth2'
  /** The flows the scheme supports, each with its URLs and scopes. */
  readonly flows: OAuthFlows
  /** A description of the scheme, which may contain CommonMark. */
  readonly description?: string
}

/** OpenID Connect Discovery (OpenAPI 3.1.1 §4.8.27). */
export interface OpenIdConnectSecurityScheme extends Extensible {
  /** The type of the security scheme. */
  readonly type: 'openIdConnect'
  /** The URL of the provider's discovery document. */
  readonly openIdConnectUrl: string
  /** A description of the scheme, which may contain CommonMark. */
  readonly description?: string
}

/** A client certificate (OpenAPI 3.1.1 §4.8.27). */
export interface MutualTLSSecurityScheme extends Extensible {
  /** The type of the security scheme. */
  readonly type: 'mutualTLS'
  /** A description of the scheme, which may contain CommonMark. */
  readonly description?: string
}

/** The flows of OAuth 2.0 (OpenAPI 3.1.1 §4.8.28). */
export interface OAuthFlows extends Extensible {
  /** The implicit flow (RFC 6749 §4.2). */
  readonly implicit?: OAuthFlow & { readonly authorizationUrl: string }
  /** The flow with the password of the resource owner (RFC 6749 §4.3). */
  readonly password?: OAuthFlow & { readonly tokenUrl: string }
  /** The flow with the credentials of the client (RFC 6749 §4.4). */
  readonly clientCredentials?: OAuthFlow & { readonly tokenUrl: string }
  /** The flow with an authorization code (RFC 6749 §4.1). */
  readonly authorizationCode?: OAuthFlow & {
    readonly authorizationUrl: string
    readonly tokenUrl: string
  }
}

/** The fields that all flows have (OpenAPI 3.1.1 §4.8.29). */
export interface OAuthFlow extends Extensible {
  /** The URL at which a client exchanges a refresh token. */
  readonly refreshUrl?: string
  /** The descriptions of the scopes by name. */
  readonly scopes: Readonly<Record<string, string>>
}

/**
 * The security schemes a request must satisfy together, each with its required scopes (OpenAPI 3.1.1
 * §4.8.30).
 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>
