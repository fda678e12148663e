/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = boolean | SchemaObject

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export interface Reference {
  readonly $ref: string
  readonly summary?: string
  readonly description?: string
}

/** The root of an OpenAPI 3.1 document (OpenAPI 3.1.1 §4.8.1). */
export interface Document {
  readonly openapi: string
  readonly jsonSchemaDialect?: string
  readonly info: Info
  readonly servers?: readonly Server[]
  readonly tags?: readonly Tag[]
  readonly security?: readonly SecurityRequirement[]
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, PathItem>>
  readonly components?: Components
  readonly externalDocs?: ExternalDocumentation
  readonly [extension: `x-${string}`]: unknown
}

export interface Info {
  readonly title: string
  readonly version: string
  readonly summary?: string
  readonly description?: string
  readonly termsOfService?: string
  readonly contact?: Contact
  readonly license?: License
  readonly [extension: `x-${string}`]: unknown
}

export interface Contact {
  readonly name?: string
  readonly url?: string
  readonly email?: string
}

export interface License {
  readonly name: string
  /** An SPDX expression; not beside `url`. */
  readonly identifier?: string
  readonly url?: string
}

export interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: Readonly<Record<string, ServerVariable>>
}

export interface ServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
  readonly description?: string
}

export interface Tag {
  readonly name: string
  readonly description?: string
  readonly externalDocs?: ExternalDocumentation
}

export interface ExternalDocumentation {
  readonly url: string
  readonly description?: string
}

/** Scheme names with the scopes that each has to grant; all of them together. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** The methods that a path item has a field for. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

export type PathItem = { readonly [Name in Method]?: Operation } & {
  readonly $ref?: string
  readonly summary?: string
  readonly description?: string
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (Parameter | Reference)[]
}

export interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly externalDocs?: ExternalDocumentation
  readonly operationId?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly callbacks?: Readonly<Record<string, unknown>>
  readonly deprecated?: boolean
  readonly security?: readonly SecurityRequirement[]
  readonly servers?: readonly Server[]
  readonly [extension: `x-${string}`]: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly schema?: Schema
  readonly content?: Readonly<Record<string, MediaType>>
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

export interface RequestBody {
  readonly description?: string
  readonly content: Readonly<Record<string, MediaType>>
  readonly required?: boolean
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
  readonly encoding?: Readonly<Record<string, unknown>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly links?: Readonly<Record<string, unknown>>
}

export interface Header {
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly schema?: Schema
}

export interface Components {
  readonly schemas?: Readonly<Record<string, Schema>>
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly parameters?: Readonly<Record<string, Parameter | Reference>>
  readonly examples?: Readonly<Record<string, unknown>>
  readonly requestBodies?: Readonly<Record<string, RequestBody | Reference>>
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
  readonly links?: Readonly<Record<string, unknown>>
  readonly callbacks?: Readonly<Record<string, unknown>>
  readonly pathItems?: Readonly<Record<string, PathItem>>
}

export type SecurityScheme =
  | HttpSecurityScheme
  | ApiKeySecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme
  | MutualTLSSecurityScheme

export interface HttpSecurityScheme {
  readonly type: 'http'
  /** A scheme of the IANA registry, such as `bearer`. */
  readonly scheme: string
  readonly bearerFormat?: string
  readonly description?: string
}

export interface ApiKeySecurityScheme {
  readonly type: 'apiKey'
  readonly in: 'query' | 'header' | 'cookie'
  readonly name: string
  readonly description?: string
}

export interface OAuth2SecurityScheme {
  readonly type: 'oauth2'
  readonly flows: OAuthFlows
  readonly description?: string
}

export interface OpenIdConnectSecurityScheme {
  readonly type: 'openIdConnect'
  readonly openIdConnectUrl: string
  readonly description?: string
}

export interface MutualTLSSecurityScheme {
  readonly type: 'mutualTLS'
  readonly description?: string
}

/** The flows of OAuth 2.0 (OpenAPI 3.1.1 §4.8.28). */
export interface OAuthFlows {
  readonly implicit?: OAuthFlow & { readonly authorizationUrl: string }
  readonly password?: OAuthFlow & { readonly tokenUrl: string }
  readonly clientCredentials?: OAuthFlow & { readonly tokenUrl: string }
  readonly authorizationCode?: OAuthFlow & {
    readonly authorizationUrl: string
    readonly tokenUrl: string
  }
}

export interface OAuthFlow {
  readonly refreshUrl?: string
  /** Scope names with what each allows. */
  readonly scopes: Readonly<Record<string, string>>
}
