import type { AnyProblemCatalog } from '@plumbline/problem'
import type { Success } from '@plumbline/result'
import type { LiveSampling } from '../conformance/live/live-recorder.ts'
import type { ContractReport } from '../conformance/report.ts'
import type { Violation } from '../conformance/violation.ts'
import type { DocumentBuilder, OperationsById, SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { StreamOf, StreamPart } from '../spec/stream-spec.ts'
import type { Answer, AnswerProblems } from './answer.ts'
import type { ReferencePage } from './reference-page.ts'
import type { Reply } from './reply-types.ts'
import type { OperationPrincipal, Verifiers } from './security-types.ts'

/** A parsed request, and the means to answer it. */
export type HandlerContext<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = PartsOf<Operation> & {
  /** The request. Its body was read if the operation declares one. */
  readonly request: Request
  /** A signal that is aborted if the client closes the connection, and when a stream has ended early. */
  readonly signal: AbortSignal
  /** The principal a verifier returned; null if the operation does not require credentials. */
  readonly principal: OperationPrincipal<Operation['spec'], Security, Verifying>
  /** Makes a declared response. */
  readonly reply: Reply<Operation['operationId'], ResponsesOf<Operation['spec']>>
  /** Makes a problem the operation names. */
  readonly problems: AnswerProblems<
    Operation['operationId'],
    Problems,
    NamesOf<Operation['spec']> & keyof Problems
  >
} & ([StreamOf<Operation['spec']>] extends [never] ? unknown : StreamContext)

/** The members of the context of a handler that sends a stream. */
export interface StreamContext {
  /** The ID of the last event a client received before it reconnected; null for a new connection. */
  readonly lastEventId: string | null
}

/** The answer of a handler, or the parts of a stream, from a generator or any other source. */
type Returned<Operation extends AnyOperation> =
  | Answer<Operation['operationId']>
  | ([StreamOf<Operation['spec']>] extends [never]
      ? never
      : AsyncIterable<StreamPart<StreamOf<Operation['spec']>>>)

type PartsOf<Operation extends AnyOperation> =
  Extract<Awaited<ReturnType<Operation['parse']>>, Success<unknown>> extends Success<infer Parts>
    ? Parts
    : never

type ResponsesOf<Spec> = Spec extends { readonly responses: infer Responses }
  ? Responses
  : Record<never, never>

type NamesOf<Spec> = Spec extends { readonly problems: readonly (infer Name)[] } ? Name : never

/** Answers the parsed requests of an operation. A handler of a stream may be an async generator. */
export type Handler<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = (
  context: HandlerContext<Operation, Problems, Security, Verifying>,
) => Returned<Operation> | Promise<Returned<Operation>>

/** One handler for each operation, by `operationId`. */
export type Handlers<
  Operations extends OperationsById,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = {
  readonly [Id in keyof Operations]: HandlerOf<Operations[Id], Problems, Security, Verifying>
}

/**
 * A handler of a stream has two types, so the compiler knows the events before it checks what a generator yields:
 * it resolves a conditional type first, but knows the principals only later.
 */
type HandlerOf<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog,
  Security extends readonly SecurityRequirement[],
  Verifying,
> = ((context: HandlerContext<Operation, Problems, Security, Verifying>) => unknown) &
  Answers<Operation>

type Answers<Operation> = Operation extends AnyOperation
  ? (context: never) => Returned<Operation> | Promise<Returned<Operation>>
  : never

/**
 * A document's handlers, for handlers written in files of their own. `Verifying` is the type of
 * the verifiers, which decides about the principals.
 */
export type HandlersOf<Builder, Verifying = unknown> =
  Builder extends DocumentBuilder<infer Problems, infer Operations, infer _Schemes, infer Security>
    ? Handlers<Operations, Problems, Security, Verifying>
    : never

/** The exchange in which an error or a violation occurred. */
export interface ExchangeContext {
  /** The request as it was received. */
  readonly request: Request
  /** The request's operation. */
  readonly operationId: string
}

/** A request to an operation, before it is authenticated. */
export interface MatchedRequest extends ExchangeContext {
  /** Its route's pattern, such as `/books/:bookId`. */
  readonly pattern: string
  /** The bytes of its body, once they were read to parse it; null before, and if it was rejected before. */
  readonly readBytes: () => ArrayBuffer | null
}

/** The exchange in which an error was thrown, and the problems that may answer it. */
export interface ErrorContext<Problems extends AnyProblemCatalog> extends ExchangeContext {
  /** The problems the operation names. The others are undefined. */
  readonly problems: Partial<AnswerProblems<string, Problems, keyof Problems>>
}

type ErrorAnswer = OptionalAnswer | Promise<OptionalAnswer>
// A function that only logs returns void.
type OptionalAnswer<None = void> = Answer | undefined | None

/** How answers of production are checked. */
export interface LiveChecks extends LiveSampling {
  /** A violation is reported, and the answer is sent. */
  readonly found: 'report'
}

/** How an API is served. */
export interface ServerOptions<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /**
   * The path the operations are mounted under, such as `/api`. By default, the path of each server of
   * the document and the root, as the conformance recorder matches them.
   */
  readonly basePath?: string
  /**
   * The most bytes a request body may have; 1 MiB by default. A larger one is answered with 413. An operation may
   * have a `bodyLimit` of its own.
   */
  readonly bodyLimit?: number
  /**
   * The time (ms) between the comments that keep a stream of events open; 15,000 by default. With 0, none are sent.
   */
  readonly heartbeat?: number
  /** The realm of the `WWW-Authenticate` header; none by default, and `api` for the scheme `basic`. */
  readonly realm?: string
  /**
   * Receives each error a handler, a verifier or a schema throws. It may return a problem that the
   * operation names, such as that of a database which cannot be reached; otherwise the answer is 500. By
   * default, errors are written to the console.
   */
  readonly onError?: (error: unknown, context: ErrorContext<Problems>) => ErrorAnswer
  /**
   * Wraps every exchange of an operation, also one that is rejected: for a log, for metrics, or as the
   * `middleware` of a conformance recorder. `next` answers the request. An error that is thrown here is passed to
   * `onError`.
   */
  readonly middleware?: (
    matched: MatchedRequest,
    next: () => Promise<Response>,
  ) => Promise<Response>
  /**
   * Checks every answer against the document: `throw` replaces an answer that violates it by a 500,
   * `report` only passes the violations to `onViolation`. None by default, because it reads each body twice. For
   * production, `{ found: 'report', sample, budget }` checks a share of the answers after they are sent, as
   * `createLiveRecorder` does, and counts them for `onReport`.
   */
  readonly checkResponses?: 'throw' | 'report' | LiveChecks
  /** Receives what checks of production counted since the last report, without values. An error of it is ignored. */
  readonly onReport?: (report: ContractReport) => unknown
  /**
   * Serves a page that shows the document; none by default. The page and the document do not require
   * credentials.
   */
  readonly docs?: ReferencePage
  /** Receives an answer's violations, if answers are checked. */
  readonly onViolation?: (violations: readonly Violation[], context: ExchangeContext) => void
}

/** The handlers of an API, the verifiers of its security schemes, and how it is served. */
export type ImplementOptions<
  Problems extends AnyProblemCatalog,
  Operations extends OperationsById,
  Schemes extends SecuritySchemes,
  Security extends readonly SecurityRequirement[],
  Verifying extends Verifiers<Schemes>,
> = ServerOptions<Problems> &
  VerifiersOption<Schemes, Verifying> & {
    /** One handler for each operation. */
    readonly handlers: Handlers<Operations, Problems, Security, Verifying>
  }

type VerifiersOption<Schemes, Verifying> = [keyof Schemes] extends [never]
  ? { readonly security?: Verifying }
  : {
      /**
       * One verifier for each security scheme. It is written before `handlers`, whose principals have the
       * types the verifiers return.
       */
      readonly security: Verifying
    }

/** An API that answers requests. */
export interface Api<Operations extends OperationsById = OperationsById> {
  /** The document it implements, for `generateTests` of `/testing`. */
  readonly document: Omit<DocumentBuilder, 'add' | 'scopes'>
  /** Answers a request on any runtime. It never rejects. */
  fetch(request: Request): Promise<Response>
  /** Answers the requests of one operation that another router has matched. It never rejects. */
  readonly handlers: {
    readonly [Id in keyof Operations]: (
      ...request: Parameters<Operations[Id]['parse']>
    ) => Promise<Response>
  }
}
