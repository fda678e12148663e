import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { apiDocument } from '../apps/directory/src/shell/operations.ts'
import { validators } from './validators.ts'

/** Findings that are correct and accepted, each with the reason. */
const kept: Readonly<Record<string, readonly unknown[]>> = {
  'the recommended rules': [
    // These operations accept no input from a client, so they never answer with 4XX.
    expect.stringMatching(/^operation-4xx-response at #\/paths\/~1api~1health\/get\/responses:/),
    expect.stringMatching(/^operation-4xx-response at #\/paths\/~1api~1ready\/get\/responses:/),
    expect.stringMatching(/^operation-4xx-response at #\/paths\/~1\.well-known~1jwks\.json/),
    expect.stringMatching(/^operation-4xx-response at #\/paths\/~1\.well-known~1oauth-/),
  ],
}

describe('the document of the management API', () => {
  it.each(Object.entries(validators))(
    'the document of the management API passes %s',
    async (name, validator) => {
      expect(await validator(unwrap(apiDocument.build()))).toEqual(kept[name] ?? [])
    },
  )
})
