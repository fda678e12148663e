import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { apiDocument } from '../../../src/shell/operations.ts'

// After an intended change: npx vitest run apps/directory/test/shell/api/document.test.ts --update
it('the management API document equals the published one: test/fixtures/management.openapi.json', async () => {
  const text = `${JSON.stringify(unwrap(apiDocument.build()), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../fixtures/management.openapi.json')
})
