/** One request whose answer breaks the contract. */
export interface GeneratedFailure {
  /** The request's operation; null for a method the document does not declare. */
  readonly operationId: string | null
  /** The pointer to the violated part of the document. */
  readonly pointer: string
  /** The constraint the request breaks; null for a valid request. */
  readonly constraint: string | null
  /** The difference between the answer and the contract. */
  readonly message: string
  /** The request as a `curl` command, with `<name>` in place of a scheme's credentials. */
  readonly curl: string
  /** The answer's status; null if `fetch` rejected. */
  readonly status: number | null
  /** The start of the answer body. */
  readonly answer: string
}

/** A generated test found requests whose answers break the contract. */
export class GeneratedTestError extends Error {
  override readonly name: string = 'GeneratedTestError'
  /** One request for each violated part, as small as fast-check could make it. */
  readonly failures: readonly GeneratedFailure[]
  /** The seed, which makes the same requests again. */
  readonly seed: number

  constructor(failures: readonly GeneratedFailure[], seed: number) {
    super(`${failures.map(sentence).join('\n\n')}\n\nseed: ${seed}`)
    this.failures = failures
    this.seed = seed
  }
}

function sentence(failure: GeneratedFailure): string {
  const { operationId, pointer, constraint, message, curl, status, answer } = failure
  return [
    `${operationId ?? 'no operation'}: ${message}`,
    `  contract: ${pointer}${constraint === null ? '' : ` (${constraint})`}`,
    `  request:  ${curl}`,
    `  answer:   ${status ?? 'none'} ${answer}`.trimEnd(),
  ].join('\n')
}
