import type { AnyProblemCatalog } from '@plumbline/problem'
import type { Result } from '@plumbline/result'
import type { OpenAPIVersion } from '../constants.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { DefaultProblems, ProblemDefaults } from './defaults.ts'
import type { OpenAPIBuildError } from './faults.ts'

/** A document's security schemes by name. */
export type SecuritySchemes = Readonly<Record<string, OpenAPI.SecurityScheme>>

/** The document without operations. */
export interface DocumentOptions<
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Schemes extends SecuritySchemes = SecuritySchemes,
  Security extends readonly OpenAPI.SecurityRequirement[] = readonly OpenAPI.SecurityRequirement[],
> {
  /** The API's title, version and contacts. */
  readonly info: OpenAPI.Info
  /**
   * The OpenAPI version; defaults to `3.1.1`. `3.2.0` describes stream parts with `itemSchema` and accepts the method
   * QUERY, but several tools do not read it yet.
   */
  readonly openapi?: OpenAPIVersion
  /** The operation tags, in the order in which tools show them. */
  readonly tags?: readonly OpenAPI.Tag[]
  /** A link to further API documentation. */
  readonly externalDocs?: OpenAPI.ExternalDocumentation
  /** The API's servers, each with an absolute `url`. */
  readonly servers?: readonly OpenAPI.Server[]
  /** The schemes operations may name. */
  readonly securitySchemes?: Schemes
  /** The security for operations without their own. */
  readonly security?: Security
  /** The catalog whose entries operations may name. */
  readonly problems?: Problems
  /**
   * The problems the server answers without a handler. Every operation documents them for input, security and internal
   * errors. `implement` from `/server` needs them. None by default; `{}` uses catalog entries with the same names as
   * the reasons, and `about:blank` for the others.
   */
  readonly defaults?: ProblemDefaults
}

/**
 * Collects operations and builds a document from them. The type knows the operations passed to `add`, so use the
 * builder the last call returns.
 */
export interface DocumentBuilder<
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Operations extends OperationsById = OperationsById,
  Schemes extends SecuritySchemes = SecuritySchemes,
  Security extends readonly OpenAPI.SecurityRequirement[] = readonly OpenAPI.SecurityRequirement[],
  Defaults extends DefaultProblems | null = DefaultProblems | null,
> {
  /**
   * Adds operations. An operation does not compile if it names a problem missing in the catalog, or a security scheme
   * missing in the document. `build` checks names unknown at compile time, such as those in `AnyOperation`.
   */
  add<const Added extends readonly AnyOperation[]>(
    ...operations: CheckNames<Added, keyof Problems & string, keyof Schemes & string>
  ): DocumentBuilder<Problems, Operations & ById<Added[number]>, Schemes, Security, Defaults>
  /**
   * Builds a new document at each call. The same operations give equal documents. A second build is faster, because
   * the builder keeps converted schemas until an operation is added.
   */
  build(): Result<OpenAPI.Document, OpenAPIBuildError>
  /** All scopes operations require, by security scheme name. */
  scopes(): Record<string, string[]>
  /**
   * Adds webhooks: the requests the API sends, created with `defineWebhook` from `/webhooks`. The document lists them
   * under `webhooks`, and a recorder reports those no test sends.
   */
  addWebhook(
    ...webhooks: readonly AnyOperation[]
  ): DocumentBuilder<Problems, Operations, Schemes, Security, Defaults>
  /** The webhooks in the order they were added. */
  webhooks(): readonly AnyOperation[]
  /** The operations in the order they were added. */
  operations(): readonly AnyOperation[]
  /** The document's catalog; empty by default. */
  problems(): Problems
  /** The document's servers; empty by default. */
  servers(): readonly OpenAPI.Server[]
  /** The document's security schemes; empty by default. */
  securitySchemes(): Schemes
  /** The security for operations that do not declare their own; empty by default. */
  security(): Security
  /** The problems a server answers without a handler; null without the option `defaults`. */
  defaults(): Defaults
}

/** Operations by their `operationId`. */
export type OperationsById = Readonly<Record<string, AnyOperation>>

type ById<Added extends AnyOperation> = {
  readonly [Operation in Added as Operation['operationId']]: Operation
}

/** Rejects at compile time an operation with an unknown problem or security scheme. */
type CheckNames<
  Added extends readonly AnyOperation[],
  Problem extends string,
  Scheme extends string,
> = {
  readonly [At in keyof Added]: [FaultOf<Added[At], Problem, Scheme>] extends [never]
    ? Added[At]
    : FaultOf<Added[At], Problem, Scheme>
}

/** The sentence the compiler shows for an operation; never without a fault. */
type FaultOf<Of, Problem extends string, Scheme extends string> =
  | `problems does not define ${UnknownName<ProblemsOf<Of>, Problem>}`
  | `securitySchemes does not define ${UnknownName<SchemesOf<Of>, Scheme>}`

/** Names that are only known at run time are left to `build`. */
type UnknownName<Names extends string, Known extends string> = string extends Names
  ? never
  : Exclude<Names, Known>

type ProblemsOf<Of> = Of extends { readonly spec: { readonly problems: readonly (infer Name)[] } }
  ? Name & string
  : never

type SchemesOf<Of> = Of extends {
  readonly spec: { readonly security: readonly (infer Requirement)[] }
}
  ? KeyOfAny<Requirement>
  : never

type KeyOfAny<Union> = Union extends unknown ? keyof Union & string : never

/** The part of a builder needed to check exchanges, with any catalog. */
export type DocumentOperations = Pick<DocumentBuilder, 'operations' | 'problems'> &
  Partial<Pick<DocumentBuilder, 'build' | 'servers' | 'security' | 'defaults' | 'webhooks'>>

/** Null if the program does not give the option. */
export type DefaultsOf<Defaults> = [Defaults] extends [never] ? null : DefaultProblems | null

/** Rejects at compile time a default problem the catalog does not define. */
export type CheckDefaults<Defaults, Known extends string> = {
  readonly [Reason in keyof Defaults]: string extends Defaults[Reason]
    ? unknown
    : Defaults[Reason] extends Known
      ? unknown
      : Known
}
