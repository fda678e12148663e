import { version } from '@plumbline/scim'
import type { JsonRow } from './json-resources.ts'

/** The columns with a resource's content. */
type Content = Pick<JsonRow, 'resource' | 'extensions'>

/** Whether two rows have the same content. The members' order does not matter. */
export async function hasSameContent(before: Content, after: Content): Promise<boolean> {
  return (
    (await isSame(before.resource, after.resource)) &&
    (await isSame(before.extensions ?? '{}', after.extensions ?? '{}'))
  )
}

async function isSame(before: string, after: string): Promise<boolean> {
  if (before === after) return true
  // Stored members always have a value, so the same content in another order has the same length.
  if (before.length !== after.length) return false
  const [a, b] = await Promise.all([before, after].map(canonical))
  return a === b
}

/** Returns the text from which `version` computes a digest. */
async function canonical(json: string): Promise<string> {
  return await version(JSON.parse(json), { digest: (text) => text })
}
