import type { AnyProblemCatalog } from '@plumbline/problem'
import type { Success } from '@plumbline/result'
import type { Violation } from '../check/violation.ts'
import type { DocumentBuilder, OperationsById, SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { StreamOf, StreamPart } from '../spec/stream-spec.ts'
import type { Answer, AnswerProblems } from './answer.ts'
import type { ReferencePage } from './reference-page.ts'
import type { Reply } from './reply-types.ts'
import type {
  Completed,
  OperationPrincipal,
  RequiredOnceRead,
  SomeVerifiers,
  Verifiers,
} from './security-types.ts'

/** A parsed request, and the functions to answer it. */
export type HandlerContext<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = PartsOf<Operation> & {
  /** The request. If the operation declares a body, it was already read. */
  readonly request: Request
  /** A signal aborted when the client closes the connection or a stream ends early. */
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

/** Additional context for handlers that send a stream. */
export interface StreamContext {
  /** The last event ID the client received before reconnecting; null for a new connection. */
  readonly lastEventId: string | null
}

/** A handler's answer, or stream parts from a generator or any other source. */
type Returned<Operation extends AnyOperation> =
  | Answer<Operation['operationId']>
  | ([StreamOf<Operation['spec']>] extends [never]
      ? never
      : AsyncIterable<StreamPart<StreamOf<Operation['spec']>>>)

type PartsOf<Operation extends AnyOperation> = Operation extends {
  parse(...request: never): Promise<infer Parsed>
}
  ? Parsed extends Success<infer Parts>
    ? Parts
    : never
  : never

type ResponsesOf<Spec> = Spec extends { readonly responses: infer Responses }
  ? Responses
  : Record<never, never>

type NamesOf<Spec> = Spec extends { readonly problems: readonly (infer Name)[] } ? Name : never

/** Answers an operation's parsed requests. Stream handlers may be async generators. */
export type Handler<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = (
  context: HandlerContext<Operation, Problems, Security, Verifying>,
) => Returned<Operation> | Promise<Returned<Operation>>

/** One handler per operation, by `operationId`. */
export type Handlers<
  Operations extends OperationsById,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  Security extends readonly SecurityRequirement[] = readonly SecurityRequirement[],
  Verifying = unknown,
> = {
  readonly [Id in keyof Operations]: HandlerOf<Operations[Id], Problems, Security, Verifying>
}

/**
 * Stream handlers have two types, so the compiler knows the events before it checks what a generator yields: it
 * resolves a conditional type first, but knows the principals only later. The context is written out, so that editors
 * show its members.
 */
type HandlerOf<
  Operation extends AnyOperation,
  Problems extends AnyProblemCatalog,
  Security extends readonly SecurityRequirement[],
  Verifying,
> = ((
  context: {
    readonly [Name in keyof HandlerContext<
      Operation,
      Problems,
      Security,
      Verifying
    >]: HandlerContext<Operation, Problems, Security, Verifying>[Name]
  },
) => unknown) &
  Answers<Operation>

type Answers<Operation> = Operation extends AnyOperation
  ? (context: never) => Returned<Operation> | Promise<Returned<Operation>>
  : never

/**
 * A document's handlers, for handlers written in separate files. `Verifying` is the verifiers' type, which determines
 * the principals.
 */
export type HandlersOf<Builder, Verifying = unknown> =
  Builder extends DocumentBuilder<infer Problems, infer Operations, infer _Schemes, infer Security>
    ? Handlers<Operations, Problems, Security, Verifying>
    : never

/** The exchange where an error or a violation occurred. */
export interface ExchangeContext {
  /** The request as received. */
  readonly request: Request
  /** The request's operation. */
  readonly operationId: string
}

/** A request to an operation, before it is authenticated. */
export interface MatchedRequest extends ExchangeContext {
  /** The route pattern, such as `/books/:bookId`. */
  readonly pattern: string
  /** The body's bytes, once read for parsing; null before, and if the request was rejected earlier. */
  readonly readBytes: () => ArrayBuffer | null
}

/** The exchange where an error was thrown, and the problems available to answer it. */
export interface ErrorContext<Problems extends AnyProblemCatalog> extends ExchangeContext {
  /** The problems the operation names. The others are undefined. */
  readonly problems: Partial<AnswerProblems<string, Problems, keyof Problems>>
}

type ErrorAnswer = OptionalAnswer | Promise<OptionalAnswer>
// A function that only logs returns void.
type OptionalAnswer<None = void> = Answer | undefined | None

/** How an API is served. */
export interface ServerOptions<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /**
   * The path the operations are mounted under, such as `/api`. Defaults to the root and the path of each server in the
   * document, as the conformance recorder matches them.
   */
  readonly basePath?: string
  /**
   * The most bytes a request body may have; defaults to 1 MiB. Larger bodies are answered with 413. An operation may
   * have its own `bodyLimit`.
   */
  readonly bodyLimit?: number
  /**
   * The time (ms) between comments that keep an event stream open; defaults to 15,000, and is at most 2,147,483,647.
   * With 0, none are sent.
   */
  readonly heartbeat?: number
  /** The realm of the `WWW-Authenticate` header; none by default, and `api` for the scheme `basic`. */
  readonly realm?: string
  /**
   * Receives each error a handler, a verifier or a schema throws. It may return a problem the operation names, such as
   * one for an unreachable database; otherwise the answer is 500. By default, errors are written to the console, and so
   * are the errors of `onError` itself.
   */
  readonly onError?: (error: unknown, context: ErrorContext<Problems>) => ErrorAnswer
  /**
   * Wraps every exchange with an operation, including rejected ones: for a log, for metrics, or as a conformance
   * recorder's `middleware`. `next` answers the request. Errors thrown here are passed to `onError`.
   */
  readonly middleware?: (
    matched: MatchedRequest,
    next: () => Promise<Response>,
  ) => Promise<Response>
  /**
   * Checks every answer against the document: `throw` replaces a violating answer with a 500, `report` only passes the
   * violations to `onViolation`. None by default, because it reads each body twice. For production,
   * `createLiveRecorder` from `@plumbline/contract` checks a share of the answers after they are sent.
   */
  readonly checkResponses?: 'throw' | 'report'
  /** Serves a page showing the document; none by default. The page and the document do not require credentials. */
  readonly docs?: ReferencePage
  /** Receives an answer's violations, if answers are checked. The callback's errors are written to the console. */
  readonly onViolation?: (violations: readonly Violation[], context: ExchangeContext) => void
}

/** An API's handlers, security verifiers, and how it is served. */
export type ImplementOptions<
  Problems extends AnyProblemCatalog,
  Operations extends OperationsById,
  Schemes extends SecuritySchemes,
  Security extends readonly SecurityRequirement[],
  Verifying extends SomeVerifiers<Schemes>,
> = ServerOptions<Problems> &
  VerifiersOption<Schemes, Verifying> & {
    /** One handler per operation. */
    readonly handlers: OptionalHandlers<
      Operations,
      Problems,
      Security,
      Completed<Schemes, Verifying>
    > &
      RequiredOnceRead<Operations, Verifying>
  }

/** Not `Partial<Handlers>`: the compiler would then choose the principals before it has read the verifiers. */
type OptionalHandlers<
  Operations extends OperationsById,
  Problems extends AnyProblemCatalog,
  Security extends readonly SecurityRequirement[],
  Verifying,
> = {
  readonly [Id in keyof Operations]?: HandlerOf<Operations[Id], Problems, Security, Verifying>
}

type VerifiersOption<Schemes extends SecuritySchemes, Verifying> = [keyof Schemes] extends [never]
  ? { readonly security?: Verifying }
  : {
      /**
       * One verifier per security scheme. Write it before `handlers`: the principals there get the types returned here.
       */
      readonly security: 'not read yet' extends keyof Verifying
        ? Verifying
        : Verifying extends Verifiers<Schemes>
          ? Verifying
          : Verifiers<Schemes>
    }

/** An API that answers requests. */
export interface Api<Operations extends OperationsById = OperationsById> {
  /** The document it implements, for `generateTests` of `/testing`. */
  readonly document: Omit<DocumentBuilder, 'add' | 'scopes'>
  /** Answers a request on any runtime. It only rejects what is not a `Request`, with a `TypeError`. */
  fetch(request: Request): Promise<Response>
  /** Answers one operation's requests, which another router has matched. It never rejects. */
  readonly handlers: {
    readonly [Id in keyof Operations]: (
      ...request: Parameters<Operations[Id]['parse']>
    ) => Promise<Response>
  }
}
