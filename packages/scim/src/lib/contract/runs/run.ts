/** One request of an identity provider, and the expected response. `{{name}}` is a saved value. */
export interface Step {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, which starts with `{{users}}` or `{{groups}}`. */
  readonly path: string
  readonly body?: object
  readonly status: number | readonly number[]
  /** Members that the response must have. Null marks a member that must be absent. */
  readonly expect?: object
  /** The name by which the following steps refer to the `id` of the response. */
  readonly save?: string
}

/** The requests of an identity provider, in order. */
export interface Run {
  readonly name: string
  /** The deviations from the standard that its requests need. */
  readonly profile: 'entra' | 'okta'
  readonly steps: readonly Step[]
}
