import type { AnyProblemCatalog } from '@plumbline/problem'

/**
 * A response the operation declares: `reply` and `problems` of its handler make it. It is a plain
 * `Response`.
 */
export interface Answer<OperationId extends string = string> extends Response {
  /** Exists only in the type: no other response is accepted. */
  readonly 'made by reply or problems of this handler': OperationId
}

/** The problems an operation names, by their names in the catalog; a call returns the answer. */
export type AnswerProblems<
  OperationId extends string,
  Problems extends AnyProblemCatalog,
  Names extends keyof Problems,
> = {
  readonly [Name in Names]: Problems[Name] extends (...options: infer Options) => Response
    ? (...options: Options) => Answer<OperationId>
    : never
}
