import { valuesOf } from '../../model/fields.ts'
import { isReadable } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import { skip } from '../../toolkit/finding.ts'
import type { StoreCheck } from '../check.ts'
import { idsOf } from '../client.ts'
import { expectError, expectNone, expectStatus, mismatch } from '../expectations.ts'
import { referencesOf } from '../world.ts'
import { query } from './values.ts'

const NONE = 'makeStores does not return an otherContext'
const TENANT = 'add the tenant of the context to every statement, also in child tables.'

/** Resources of another context, such as another tenant. */
export const TENANT_CHECKS: readonly StoreCheck[] = [
  {
    name: 'tenant: cannot read the resources of another',
    section: 'RFC 7644 §6',
    advice: TENANT,
    async run({ types, sendAsOther }) {
      if (sendAsOther === null) skip(NONE)
      for (const type of types) {
        const { path } = await type.create('whole', 1)
        const answer = await sendAsOther('GET', path)
        expectError(answer, 404, null, 'the resource belongs to another context')
      }
    },
  },
  {
    name: 'tenant: may use the unique values of another',
    section: 'RFC 7643 §7',
    advice: 'add the tenant to each unique index. A conflict would show what another tenant has.',
    async run({ types, sendAsOther }) {
      if (sendAsOther === null) skip(NONE)
      for (const type of types) {
        const isGlobal = type.fields.some(({ attribute }) => attribute.uniqueness === 'global')
        // The target of a required reference belongs to the first context.
        if (isGlobal || referencesOf(type.fields, 'minimal').length > 0) continue
        const { sent } = await type.create('minimal', 1)
        const answer = await sendAsOther('POST', type.endpoint, sent)
        expectStatus(answer, 201, 'the values belong to another context')
      }
    },
  },
  {
    name: 'tenant: cannot list or count the resources of another',
    section: 'RFC 7644 §6',
    advice: TENANT,
    async run({ types, sendAsOther }) {
      if (sendAsOther === null) skip(NONE)
      for (const type of types) {
        const { id } = await type.create('whole', 1)
        const read = await type.read(id)
        const filters = type.fields
          .slice(0, 8)
          .filter(({ attribute }) => attribute.type === 'string' && isReadable(attribute))
          .flatMap((field) =>
            valuesOf(read, field).map((value) => `${field.path} eq ${JSON.stringify(value)}`),
          )
        for (const filter of ['', ...filters]) {
          const list = await sendAsOther('GET', type.endpoint + (filter && query({ filter })))
          expectStatus(list, 200)
          if (idsOf(list).length > 0 || list.body['totalResults'] !== 0) {
            mismatch(list, 'an empty list, because the resources belong to another context')
          }
        }
      }
    },
  },
  {
    name: 'tenant: cannot change or delete the resources of another',
    section: 'RFC 7644 §6',
    advice: TENANT,
    async run({ types, sendAsOther }) {
      if (sendAsOther === null) skip(NONE)
      for (const type of types) {
        const { id, path } = await type.create('whole', 1)
        const before = await type.read(id)
        const reason = 'the resource belongs to another context'
        const body = await type.sample('minimal', 2)
        const answer = await sendAsOther('PUT', path, body)
        expectError(answer, 404, null, reason)
        expectError(await sendAsOther('DELETE', path), 404, null, reason)
        const lines = differences(type.fields, before, await type.read(id))
        expectNone(answer, lines, 'the resource is as it was before')
      }
    },
  },
]
