import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { acceptsMembers, isOptional, runExtensions, schemasOf } from './extensions.ts'
import type { Schema } from './standard-schema.ts'

const broken = new TypeError('broken')
const throwing = z.unknown().transform(() => {
  throw broken
})
const record = { balance: z.int(), note: z.string().optional() }
const whole = z.object({ balance: z.int() })
const later = z.int().refine(async () => true)

describe('problem extension members (RFC 9457 §3.2)', () => {
  it("members are valid if each member's schema accepts it", async () => {
    const result = await runExtensions(record, { balance: 5 })
    expect(result).toStrictEqual({ value: { balance: 5 } })
  })

  it('issue paths start at the members', async () => {
    const list = { errors: z.array(z.object({ at: z.int() })), note: z.string() }
    const { issues } = await runExtensions(list, { errors: [{ at: 'x' }] })
    expect(issues?.map(({ path }) => path)).toStrictEqual([['errors', 0, 'at'], ['note']])
  })

  it('inherited members are not read', async () => {
    const { issues } = await runExtensions({ toString: z.unknown().refine(Boolean) }, {})
    expect(issues).toHaveLength(1)
  })

  it('one schema validates the members as a whole', async () => {
    expect(await runExtensions(whole, { balance: 5 })).toMatchObject({ value: { balance: 5 } })
    expect(await runExtensions(whole, {})).toMatchObject({ issues: [{ path: ['balance'] }] })
  })

  it("a schema's exception is kept, whatever the other issues are", async () => {
    const result = await runExtensions({ balance: z.int(), other: throwing }, { balance: 'x' })
    expect(result).toMatchObject({ cause: broken, issues: [{ path: [] }] })
  })
})

it.each<
  [
    what: string,
    extensions: Parameters<typeof acceptsMembers>[0],
    members: object,
    accepts: boolean,
  ]
>([
  ['each member of a record', record, { balance: 5 }, true],
  ['a wrong member of a record', record, { balance: 5, note: 1 }, false],
  ['a missing member', record, {}, false],
  ['a whole object', whole, { balance: 5 }, true],
  ['a wrong object', whole, {}, false],
  ['a schema that throws', { balance: throwing }, { balance: 5 }, false],
  ['a schema that is asynchronous', { balance: later }, { balance: 5 }, false],
])('acceptsMembers: %s', (_, extensions, members, accepts) => {
  expect(acceptsMembers(extensions, { ...members })).toBe(accepts)
})

it('a member whose schema accepts undefined is optional', () => {
  const schemas: readonly Schema[] = [record.balance, record.note, throwing]
  expect(schemas.map(isOptional)).toStrictEqual([false, true, false])
  expect(schemasOf(record)).toStrictEqual([record.balance, record.note])
  expect(schemasOf(whole)).toStrictEqual([whole])
})
