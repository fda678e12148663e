import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../model/fields.ts'
import { DIFFERENCE_CASES } from './differences.cases.ts'
import { differences } from './differences.ts'

const CORE = 'urn:example:params:scim:schemas:core:2.0:Thing'
const EXTENSION = 'urn:example:params:scim:schemas:extension:more:2.0:Thing'

describe('differences', () => {
  it.each(DIFFERENCE_CASES.map((one) => [one.section, one.shows, one] as const))(
    '%s: %s',
    (_section, _shows, { attribute, expected, actual, says }) => {
      const definitions = {
        [CORE]: { id: CORE, name: 'Thing', attributes: [{ ...attribute, name: 'thing' }] },
      }
      const lines = differences(fieldsOf(definitions), { thing: expected }, { thing: actual })
      expect(lines).toEqual(says === null ? [] : [`thing: ${says}`])
    },
  )

  it('RFC 7643 §3.3: extension attributes are compared in their container', () => {
    const definitions = {
      [CORE]: { id: CORE, name: 'Thing', attributes: [] },
      [EXTENSION]: {
        id: EXTENSION,
        name: 'More',
        attributes: [{ name: 'note', type: 'string' as const }],
      },
    }
    expect(
      differences(fieldsOf(definitions), { [EXTENSION]: { note: 'a' } }, { note: 'a' }),
    ).toEqual([`${EXTENSION}:note: expected "a", came unassigned`])
    expect(differences(fieldsOf(definitions), { [EXTENSION]: 'a' }, { [EXTENSION]: null })).toEqual(
      [],
    )
  })

  it('RFC 7643 §2.3.8: a part is not compared with an attribute with the same name', () => {
    const definitions = {
      [CORE]: {
        id: CORE,
        name: 'Thing',
        attributes: [
          {
            name: 'note',
            type: 'complex' as const,
            subAttributes: [{ name: 'note', type: 'string' as const }],
          },
        ],
      },
    }
    expect(
      differences(fieldsOf(definitions), { note: { note: 'a' } }, { note: { note: 'b' } }),
    ).toEqual(['note: expected {"note":"a"}, came {"note":"b"}'])
  })
})
