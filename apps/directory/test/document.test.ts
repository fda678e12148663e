import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { judges } from '../../../packages/openapi/test/judges.ts'
import { apiDocument } from '../src/api/operations.ts'

/** What a judge says and is right about, with the reason why it stays. */
const kept: Readonly<Record<string, readonly unknown[]>> = {
  'the recommended rules': [
    // The health of the server takes nothing of a client: there is no mistake to answer with 4XX.
    expect.stringMatching(/^operation-4xx-response at #\/paths\/~1api~1health\/get\/responses:/),
  ],
}

describe('the document of the management API', () => {
  // After a change that is meant: npx vitest run --update apps/directory/test/document.test.ts
  it('is the one that clients were given: test/fixtures/management.openapi.json', async () => {
    const text = `${JSON.stringify(unwrap(apiDocument.build()), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('fixtures/management.openapi.json')
  })

  it.each(Object.entries(judges))('is clean to %s', async (name, judge) => {
    expect(await judge(unwrap(apiDocument.build()))).toEqual(kept[name] ?? [])
  })
})
