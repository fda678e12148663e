import { own } from '../../json.ts'
import { type Field, isChangeable, readAttribute, targetsOf } from '../../model/fields.ts'
import { differences } from '../../toolkit/differences.ts'
import { skip } from '../../toolkit/finding.ts'
import { type StoreCheck, some } from '../check.ts'
import { idsOf } from '../client.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import type { Served, World } from '../world.ts'
import { patch, query } from './values.ts'

const ROLLBACK =
  'roll back if the work of transaction throws, and run every statement of a write in the transaction.'

/** Writes that fail after the store has done them. */
export const TRANSACTION_CHECKS: readonly StoreCheck[] = [
  {
    name: 'transaction: a create that fails leaves no resource',
    section: 'RFC 7644 §3.3',
    advice: ROLLBACK,
    async run({ types, send, sendFailing }) {
      if (sendFailing === null) skip('the stores do not have a transaction')
      for (const type of types) {
        const body = await type.sample('whole', 1)
        const before = idsOf(await send('GET', type.endpoint + query({ count: 100 })))
        const failed = expectStatus(await sendFailing('POST', type.endpoint, body), 500)
        const after = idsOf(await send('GET', type.endpoint + query({ count: 100 })))
        if (after.length !== before.length) mismatch(failed, 'no new resource in the list')
        expectStatus(await send('POST', type.endpoint, body), 201, 'the create before it failed')
      }
    },
  },
  {
    name: 'transaction: a change that fails leaves the resource as it was',
    section: 'RFC 7644 §3.5',
    advice: ROLLBACK,
    async run({ types, send, sendFailing }) {
      if (sendFailing === null) skip('the stores do not have a transaction')
      for (const type of types) {
        const { id, path } = await type.create('whole', 1)
        const before = await type.read(id)
        const body = { ...(await type.sample('minimal', 2)) }
        for (const method of ['PUT', 'DELETE'] as const) {
          const sent = method === 'PUT' ? body : undefined
          const failed = expectStatus(await sendFailing(method, path, sent), 500)
          expectStatus(await send('GET', path), 200, `the ${method} before it failed`)
          const lines = differences(type.fields, before, await type.read(id))
          expectNone(failed, lines, 'the resource is as it was before')
        }
      }
    },
  },
  {
    name: 'transaction: a change of members that fails leaves the members as they were',
    section: 'RFC 7644 §3.5.2',
    advice: ROLLBACK,
    async run(world) {
      const { sendFailing } = world
      if (sendFailing === null) skip('the stores do not have a transaction')
      for (const { type, field, number } of memberships(world)) {
        for (const [at, op] of (['add', 'remove'] as const).entries()) {
          const { id, path } = await type.create('whole', number + at)
          const before = await type.read(id)
          const [added] = await type.targets(field, 1)
          const [member] = [readAttribute(before, field)].flat()
          // `adapt` may omit the members.
          if (op === 'remove' && member === undefined) continue
          const removed = `${field.path}[value eq ${JSON.stringify(own(Object(member), 'value'))}]`
          const operation =
            op === 'add'
              ? { op, path: field.path, value: [{ value: added }] }
              : { op, path: removed }
          const failed = expectStatus(await sendFailing('PATCH', path, patch(operation)), 500)
          const lines = differences(type.fields, before, await type.read(id))
          expectNone(failed, lines, 'the members are as they were before')
        }
      }
    },
  },
]

/** An attribute with references to other resources a client may change. */
interface Membership {
  readonly type: Served
  readonly field: Field
  /** The first generated group's number, so that other attributes get other values. */
  readonly number: number
}

/** The attributes with references to other resources, such as a group's members. */
function memberships({ types }: World): readonly Membership[] {
  const found = types.flatMap((type) =>
    type.fields
      .filter(
        ({ parent, attribute }) =>
          parent === null &&
          attribute.multiValued === true &&
          isChangeable(attribute) &&
          targetsOf(attribute).length > 0,
      )
      .map((field, at) => ({ type, field, number: 1 + 10 * at })),
  )
  return some(found, 'no resource type has members')
}
