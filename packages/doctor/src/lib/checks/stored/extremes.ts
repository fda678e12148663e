import type { Check } from '../../check.ts'
import { type Field, fieldsOf, isUnique, writeAttribute } from '../../model/fields.ts'
import { type AttributeType, type ExaminedType, isReadable } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectNoDifferences } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { otherTypes } from '../declared/shelves.ts'
import { isOffered, pathOf } from './kept.ts'
import { isOpen, readWhole } from './wholes.ts'

/** Texts, numbers and instants the usual columns cannot hold. */
export const STORED_EXTREME_CHECKS: readonly Check[] = [
  {
    id: 'stored.extremes',
    section: 'RFC 7643 §2.3',
    level: 'practice',
    title:
      'U+0000, 0, large numbers and instants far away are stored as they were sent, or rejected',
    needs: ['write', 'check:stored.create'],
    advice:
      'Use columns of 64 bits: int and float of 32 bits and timestamp of MySQL cannot hold these values. Answer 400 for a value without a place, such as U+0000 in PostgreSQL. 0 is a value.',
    run: async (server) => {
      let examined = 0
      for (const type of otherTypes(server)) {
        const fields = extremesOf(server, type)
        examined += fields.length
        for (const field of fields) {
          for (const value of EXTREMES[field.attribute.type] ?? []) {
            const sent = server.settle(type, writeAttribute(server.whole(type), field, value))
            const response = await server.post(type.endpoint, sent)
            if (response.status === 400 || !isOffered(response)) continue
            const stored = await readWhole(server, type, pathOf(type, response))
            const lines = differences([field], sent, stored)
            expectNoDifferences(lines, `${field.path} as it was sent`)
          }
        }
      }
      if (examined === 0)
        skip('No resource type has a text, a number or an instant that a client may choose.')
    },
  },
]

/** A type's numbers and instants, and one text. For servers, the topic robustness has U+0000. */
function extremesOf({ isThorough }: Server, { definitions }: ExaminedType): readonly Field[] {
  const fields = fieldsOf(definitions).filter(isExtreme)
  const text = fields.find(({ attribute }) => attribute.type === 'string')
  return fields.filter((one) => one.attribute.type !== 'string' || (isThorough && one === text))
}

/** Whether an attribute has a value a client may choose. */
function isExtreme({ parent, attribute }: Field): boolean {
  return (
    parent === null &&
    attribute.multiValued !== true &&
    Object.hasOwn(EXTREMES, attribute.type) &&
    isOpen(attribute) &&
    isReadable(attribute) &&
    attribute.returned !== 'request' &&
    !isUnique(attribute) &&
    (attribute.canonicalValues ?? []).length === 0 &&
    attribute.name !== 'externalId'
  )
}

const EXTREMES: { readonly [Type in AttributeType]?: readonly (number | string)[] } = {
  string: ['nul\0'],
  integer: [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER],
  decimal: [0, -0.5, 16_777_217.5, 0.1],
  dateTime: [
    '1969-07-20T20:17:40Z',
    '2024-02-29T23:59:59.999Z',
    '2038-01-19T03:14:08Z',
    '2999-12-31T23:59:59-11:00',
  ],
}
