import { expect, it } from 'vitest'
import { type CommandOption, readOptions } from '../../src/commands/options.ts'

const OPTIONS: readonly CommandOption[] = [
  { name: '--tenant', value: 'tenant', meaning: 'the tenant' },
  { name: '--dry-run', value: null, meaning: 'writes nothing' },
]

it('an option is read with its value, or with an empty string if it does not take one', () => {
  const given = readOptions(['--dry-run', '--tenant', 'acme'], OPTIONS)
  expect(given).toEqual(new Map(Object.entries({ '--dry-run': '', '--tenant': 'acme' })))
})

it.each([
  [['--token'], 'unknown option --token'],
  [['--tenant'], '--tenant needs a value'],
  [['--tenant', ''], '--tenant needs a value'],
  [['--dry-run', '--dry-run'], '--dry-run is repeated'],
])('the options %j are rejected', (args, message) => {
  expect(readOptions(args, OPTIONS)).toBe(message)
})
