import type { AnyProblemCatalog } from '@plumbline/problem'

/** A response the operation declares. Handlers make it with `reply` or `problems`; it is a plain `Response`. */
export interface Answer<OperationId extends string = string> extends Response {
  /** Exists only in the type: no other response is accepted. */
  readonly 'made by reply or problems of this handler': OperationId
}

/** The problems an operation names, keyed by catalog name. Calling one returns the answer. */
export type AnswerProblems<
  OperationId extends string,
  Problems extends AnyProblemCatalog,
  Names extends keyof Problems,
> = {
  readonly [Name in Names]: Problems[Name] extends (...options: infer Options) => Response
    ? (...options: Options) => Answer<OperationId>
    : never
}
