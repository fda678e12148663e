import type { AnyProblemCatalog } from '@plumbline/problem'
import type { Result } from '@plumbline/result'
import type { OpenAPIVersion } from '../constants.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { DefaultProblems, ProblemDefaults } from './defaults.ts'
import type { OpenAPIBuildError } from './faults.ts'

/** The security schemes of a document by name. */
export type SecuritySchemes = Readonly<Record<string, OpenAPI.SecurityScheme>>

/** The document without its operations. */
export interface DocumentOptions<
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Schemes extends SecuritySchemes = SecuritySchemes,
  Security extends readonly OpenAPI.SecurityRequirement[] = readonly OpenAPI.SecurityRequirement[],
> {
  /** The title, version and contacts of the API. */
  readonly info: OpenAPI.Info
  /**
   * The version of OpenAPI; `3.1.1` by default. `3.2.0` describes the parts of streams by `itemSchema` and accepts the
   * method QUERY, but several tools do not read it yet.
   */
  readonly openapi?: OpenAPIVersion
  /** The tags of operations, in the order in which tools show them. */
  readonly tags?: readonly OpenAPI.Tag[]
  /** A link to further documentation of the API. */
  readonly externalDocs?: OpenAPI.ExternalDocumentation
  /** The servers of the API, each with an absolute `url`. */
  readonly servers?: readonly OpenAPI.Server[]
  /** The schemes that operations may name. */
  readonly securitySchemes?: Schemes
  /** The security of operations that do not declare their own. */
  readonly security?: Security
  /** The catalog whose entries operations may name. */
  readonly problems?: Problems
  /**
   * The problems of requests the server answers without a handler, which every operation documents
   * for its input, security and internal errors. `implement` of `/server` needs them. None by default;
   * `{}` uses the catalog entries that are named like the reasons, and `about:blank` for the others.
   */
  readonly defaults?: ProblemDefaults
}

/**
 * Collects operations and builds a document from them. Its type knows the operations of the calls of `add`
 * that it is returned by.
 */
export interface DocumentBuilder<
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Operations extends OperationsById = OperationsById,
  Schemes extends SecuritySchemes = SecuritySchemes,
  Security extends readonly OpenAPI.SecurityRequirement[] = readonly OpenAPI.SecurityRequirement[],
> {
  /**
   * Adds operations. An operation with a problem the catalog does not define, or with a security
   * scheme the document does not define, does not compile. `build` checks names that are not known at compile time, such as those of `AnyOperation`.
   */
  add<const Added extends readonly AnyOperation[]>(
    ...operations: CheckNames<Added, keyof Problems & string, keyof Schemes & string>
  ): DocumentBuilder<Problems, Operations & ById<Added[number]>, Schemes, Security>
  /**
   * Builds a new document at each call. Documents of the same operations are equal. A second build is
   * faster, because the builder keeps the converted schemas until an operation is added.
   */
  build(): Result<OpenAPI.Document, OpenAPIBuildError>
  /** Every scope an operation requires, by its scheme's name. */
  scopes(): Record<string, string[]>
  /**
   * Adds webhooks: the requests that the API sends, made by `defineWebhook` of `/webhooks`. The document has them under
   * `webhooks`, and a recorder reports those that no test has sent.
   */
  addWebhook(
    ...webhooks: readonly AnyOperation[]
  ): DocumentBuilder<Problems, Operations, Schemes, Security>
  /** The webhooks that were added, in that order. */
  webhooks(): readonly AnyOperation[]
  /** The operations that were added, in that order. */
  operations(): readonly AnyOperation[]
  /** The document's catalog; empty by default. */
  problems(): Problems
  /** The document's servers; empty by default. */
  servers(): readonly OpenAPI.Server[]
  /** The security schemes of the document; empty by default. */
  securitySchemes(): Schemes
  /** The security of operations that do not declare their own; empty by default. */
  security(): Security
  /** The problems a server answers without a handler; null without the option `defaults`. */
  defaults(): DefaultProblems | null
}

/** Operations by their `operationId`. */
export type OperationsById = Readonly<Record<string, AnyOperation>>

type ById<Added extends AnyOperation> = {
  readonly [Operation in Added as Operation['operationId']]: Operation
}

type CheckNames<
  Added extends readonly AnyOperation[],
  Problem extends string,
  Scheme extends string,
> = {
  readonly [At in keyof Added]: Added[At] &
    NamesOnly<Added[At], Problem> &
    SchemesOnly<Added[At], Scheme>
}

/** Rejects at compile time an operation with an unknown problem. */
type NamesOnly<Added, Known extends string> = Added extends {
  readonly spec: { readonly problems?: readonly (infer Name)[] }
}
  ? string extends Name
    ? unknown
    : [Name] extends [Known]
      ? unknown
      : AnyOperation<Known>
  : unknown

/** Rejects at compile time an operation with an unknown security scheme. */
type SchemesOnly<Added, Known extends string> = Added extends {
  readonly spec: { readonly security: readonly (infer Requirement)[] }
}
  ? string extends KeyOfAny<Requirement>
    ? unknown
    : [KeyOfAny<Requirement>] extends [Known]
      ? unknown
      : {
          readonly spec: {
            readonly security: `securitySchemes does not define ${Exclude<KeyOfAny<Requirement>, Known>}`
          }
        }
  : unknown

type KeyOfAny<Union> = Union extends unknown ? keyof Union & string : never

/** The part of a builder, with any catalog, that checks of exchanges need. */
export type DocumentOperations = Pick<DocumentBuilder, 'operations' | 'problems'> &
  Partial<Pick<DocumentBuilder, 'build' | 'servers' | 'security' | 'defaults' | 'webhooks'>>

/** Rejects at compile time a default problem the catalog does not define. */
export type CheckDefaults<Defaults, Known extends string> = {
  readonly [Reason in keyof Defaults]: string extends Defaults[Reason]
    ? unknown
    : Defaults[Reason] extends Known
      ? unknown
      : Known
}
