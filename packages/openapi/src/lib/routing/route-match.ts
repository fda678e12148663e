import type { RouterParams } from '../spec/operation-spec.ts'

/** The matching route's value, with the path parameters. */
export interface RouteMatch<Value> {
  readonly value: Value
  readonly params: RouterParams
}
