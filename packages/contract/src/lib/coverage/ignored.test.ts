import { describe, expect, it } from 'vitest'
import { readIgnored } from './ignored.ts'

describe('an ignore file', () => {
  const entry = { operationId: 'readBook', kind: 'status', name: '404', reason: 'Tested by hand.' }

  it('entries are returned unchanged, and checkCoverage checks their reasons', () => {
    const value = [entry, {}, { reason: '' }]
    expect(readIgnored(value)).toEqual({ value })
  })

  it.each<[string, unknown]>([
    ['must be a list', entry],
    ['must be a list', null],
    ['ignore[1] must be an object', [entry, 'readBook']],
    ['ignore[0] must be an object', [[entry]]],
    // A misspelt filter would be left out, so that the entry would match more items.
    ['ignore[0] has the unknown member operationID', [{ ...entry, operationID: 'a' }]],
    ['ignore[1].name must be a string', [entry, { ...entry, name: 404 }]],
  ])('an invalid ignore file is rejected: %s', (message, value) => {
    expect(readIgnored(value)).toEqual({ fault: { message } })
  })
})
