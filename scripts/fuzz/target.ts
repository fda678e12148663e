import { isFailure, type Result } from '@plumbline/result'
import fc from 'fast-check'

/** A function that runs on random inputs, and a check of each result. */
export interface Target {
  readonly name: string
  /** Inputs of any type: `target` creates both, so that `check` accepts what `inputs` returns. */
  readonly property: (beforeEach: (run: () => unknown) => unknown) => fc.IAsyncProperty<[unknown]>
}

/** Binds random inputs to a check, which throws if something does not hold. */
export function target<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => unknown,
): Target {
  return {
    name,
    property: (timed) =>
      fc.asyncProperty(inputs as fc.Arbitrary<unknown>, async (input) => {
        await timed(() => check(input as Input))
      }),
  }
}

/** Throws unless the result is a success or a failure of the given class. */
export function expectTyped<Data>(
  result: Result<Data, Error>,
  kind: abstract new (...args: never[]) => Error,
): Data | undefined {
  if (!isFailure(result)) return result.data
  const { error } = result
  if (!(error instanceof kind)) throw new Error('the failure has another class', { cause: error })
  if (error.message === '') throw new Error('the message of the failure is empty')
  return undefined
}

/** Throws if the two values are not the same JSON. */
export function expectSame(before: string, after: unknown, what: string): void {
  if (JSON.stringify(after) !== before) throw new Error(`${what} has changed`)
}

/** JSON whose keys often are the given names or names that every object inherits. */
export function jsonOf(
  names: readonly string[],
  scalars: readonly unknown[],
): fc.Arbitrary<unknown> {
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'length') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  )
  const scalar = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...scalars) },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1e300, '', '\ud800'),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.double(),
  )
  return fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map((all) => Object.fromEntries(all)),
    ),
  })).json
}
