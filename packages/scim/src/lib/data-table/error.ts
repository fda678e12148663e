/**
 * A filter that SQL cannot express exactly: run it in memory with `compileFilter`, or narrow the rows
 * with `splitFilter`.
 */
export class UntranslatableFilterError extends Error {
  override readonly name: string = 'UntranslatableFilterError'
}
