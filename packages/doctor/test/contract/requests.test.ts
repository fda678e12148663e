import { describe, expect, it } from 'vitest'
import type { StoreCheck } from '../../src/lib/contract/check.ts'
import type { Send } from '../../src/lib/contract/client.ts'
import { cut } from '../../src/lib/contract/expectations.ts'
import { openWorld } from '../../src/lib/contract/open-world.ts'
import { CHECKS } from '../../src/lib/contract/store-contract.ts'
import { makeStores, type TypeName } from './subject.ts'

describe('over a type with attributes of every mutability, storeContract sends the requests of', () => {
  // A request that is not sent cannot find a fault, and one for an attribute that cannot be changed finds a wrong one.
  it.each(CHECKS.map((check) => [check.section, check.name, check] as const))(
    '%s %s',
    async (_section, _name, check) => {
      expect(await requestsOf(check)).toMatchSnapshot()
    },
  )
})

/** The requests that a check sends itself, without those that create and read resources for it. */
async function requestsOf(check: StoreCheck, type: TypeName = 'Machine'): Promise<string> {
  const lines: string[] = []
  const world = openWorld({ ...makeStores([type], () => ({})) })
  const recorded =
    (who: string, send: Send): Send =>
    async (method, path, body, headers) => {
      const json = body === undefined ? '' : ` ${cut(body)}`
      lines.push(`${who}${method} ${decodeURIComponent(path.replaceAll('+', ' '))}${json}`)
      return await send(method, path, body, headers)
    }
  const { send, sendAsOther, sendFailing } = world
  await check
    .run({
      ...world,
      send: recorded('', send),
      sendAsOther: sendAsOther && recorded('as another: ', sendAsOther),
      sendFailing: sendFailing && recorded('failing: ', sendFailing),
    })
    .catch((error: unknown) => lines.push(String(error)))
  return lines.join('\n')
}
