import { describe, expect, it } from 'vitest'
import type { StoreCheck } from '../../src/lib/contract/check.ts'
import type { Send } from '../../src/lib/contract/client.ts'
import { cut } from '../../src/lib/contract/expectations.ts'
import { openWorld } from '../../src/lib/contract/open-world.ts'
import { FILTER_ROWS } from '../../src/lib/contract/rows/filter-rows.ts'
import { ENTRA } from '../../src/lib/contract/runs/entra.ts'
import { OKTA } from '../../src/lib/contract/runs/okta.ts'
import { CHECKS } from '../../src/lib/contract/store-contract.ts'
import { makeStores, type TypeName } from './subject.ts'

/** The checks of identity providers send the same requests to every type that has users. */
const GENERATED = CHECKS.filter(({ name }) => !name.startsWith('provider: '))

describe('over a type with attributes of every mutability, storeContract sends the requests of', () => {
  // A request that is not sent cannot find a fault, and one for an attribute that cannot be changed finds a wrong one.
  it.each(GENERATED.map((check) => [check.section, check.name, check] as const))(
    '%s %s',
    async (_section, _name, check) => {
      expect(await requestsOf(check)).toMatchSnapshot()
    },
  )
})

it.each([ENTRA, OKTA])('the requests of $name, and the responses that it needs', ({ steps }) => {
  expect(steps).toMatchSnapshot()
})

it('over users, the checks of filters send every row for the attributes that the definitions have', async () => {
  const checks = CHECKS.filter(({ name }) => name.startsWith('filter: '))
  const requests = (await Promise.all(checks.map((check) => requestsOf(check, 'User')))).join('\n')
  const filters = Object.values(FILTER_ROWS).map(({ filter }) => filter('row'))
  const missing = filters.filter((filter) => !requests.includes(`filter=${filter}&`))
  // The users of these tests have neither a title nor a family name.
  expect(missing.filter((filter) => !/title|familyName/.test(filter))).toEqual([])
  expect(missing.length).toBeLessThan(filters.length / 4)
})

/** The requests that a check sends itself, without those that create and read resources for it. */
async function requestsOf(check: StoreCheck, type: TypeName = 'Machine'): Promise<string> {
  const lines: string[] = []
  const world = openWorld({ ...makeStores([type], () => ({})) }, (resource) => resource)
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
