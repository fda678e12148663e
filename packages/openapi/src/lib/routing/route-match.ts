import type { RouterParams } from '../spec/operation-spec.ts'

/** The value of a route that matches a request, with the path parameters. */
export interface RouteMatch<Value> {
  readonly value: Value
  readonly params: RouterParams
}
