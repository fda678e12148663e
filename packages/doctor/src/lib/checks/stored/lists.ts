import type { Check } from '../../check.ts'
import { type Field, writeAttribute } from '../../model/fields.ts'
import type { Attribute, ExaminedType } from '../../model/types.ts'
import { skip } from '../../toolkit/finding.ts'
import { kindOf, sampleValue } from '../../toolkit/sample.ts'
import { otherTypes } from '../declared/shelves.ts'
import { expectKept, forEachOffered, isOffered } from './kept.ts'
import { isOpen, listsOf } from './wholes.ts'

/** Rules for lists in new resources of each type. */
export const STORED_LIST_CHECKS: readonly Check[] = [
  {
    id: 'stored.lists',
    section: 'RFC 7643 §2.4',
    level: 'practice',
    title: 'All values of a list are stored, whatever their types are, or they are rejected',
    needs: ['write'],
    // It sends all phone numbers of a user, also to a server with one column for them.
    notFor: ['entra'],
    advice: 'Store each value in a row of its own. Answer 400 for a value without a place.',
    run: async (server) => {
      const typedIn = (type: ExaminedType) => listsOf(type).filter(isTyped)
      const lists = otherTypes(server, (type) => typedIn(type).length > 0).flatMap((type) =>
        typedIn(type).map((field) => ({ type, field })),
      )
      if (lists.length === 0) skip('No resource type has a list whose values have a type.')
      await forEachOffered(lists, async ({ type, field }) => {
        for (const values of severalValues(field)) {
          const body = writeAttribute(server.whole(type), field, values)
          const response = await server.post(type.endpoint, body)
          if (!isOffered(response)) return false
          if (response.status !== 400) await expectKept(server, type, response, body, [field])
        }
        return true
      })
    },
  },
]

/** Whether a list's elements have a value and a type a client may choose. */
export function isTyped({ attribute }: Field): boolean {
  return ['value', 'type'].every((name) => isOpen(partOf(attribute, name) ?? READ_ONLY))
}

const READ_ONLY: Attribute = { name: '', type: 'string', mutability: 'readOnly' }

function partOf({ subAttributes = [] }: Attribute, name: string): Attribute | undefined {
  return subAttributes.find((part) => part.name === name)
}

/** Two values with one type, one value with two types, and five values. */
function severalValues({ attribute }: Field): readonly (readonly object[])[] {
  const [value = attribute, type = attribute] = ['value', 'type'].map((name) =>
    partOf(attribute, name),
  )
  const element = (kind: number, seed: number): object => ({
    value: sampleValue(value, { number: 60 + seed, seed }, attribute),
    type: kindOf(type, kind),
  })
  const ofTwoTypes = kindOf(type, 0) !== kindOf(type, 1)
  return [
    [element(0, 1), element(0, 2)],
    ...(ofTwoTypes ? [[element(0, 3), element(1, 3)]] : []),
    [4, 5, 6, 7, 8].map((seed) => element(seed, seed)),
  ]
}
