import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { BASE, serve } from '../../src/lib/contract/serve.ts'
import { examineStore } from '../../src/lib/examine.ts'
import { makeStores } from './subject.ts'

describe('a thorough examination writes to a type with every mutability', async () => {
  const stores = makeStores(['Machine'], () => ({}))
  const report = await examineStore(serve(stores, 60_000), {
    base: BASE,
    only: ['stored'],
    thorough: true,
    marker: 'plumbline-00000000',
  })

  // A request that is not sent cannot find a fault, and one for an attribute that cannot be changed finds a wrong one.
  it.each(
    unwrap(report).outcomes.map((outcome) => [outcome.section, outcome.id, outcome] as const),
  )('%s %s', (_section, _id, { exchanges }) => {
    const requests = exchanges.filter(({ method }) => /PUT|PATCH|POST/.test(method))
    const lines = requests.map(
      ({ method, url, requestBody }) => `${method} ${url.slice(BASE.length)} ${requestBody}`,
    )
    expect(lines.join('\n')).toMatchSnapshot()
  })
})
