import { own } from '@plumbline/base'
import type { OpenAPI } from '@plumbline/openapi'

/** Whether a parameter in a document represents all others. */
export function isForOthers({ in: location, style, schema }: OpenAPI.Parameter): boolean {
  return location === 'query' && style === 'form' && own(schema, 'type') === 'object'
}
