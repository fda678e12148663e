import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import { type Field, readAttribute, writeAttribute } from '../../model/fields.ts'
import { expectEqual, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { readResource } from '../../toolkit/patch.ts'
import { isDecided } from '../declared/shelves.ts'
import { freeFields, placeOf } from '../stored/wholes.ts'

/** Rules for texts with a meaning in HTML. */
export const CREATE_MARKUP_CHECKS: readonly Check[] = [
  {
    id: 'create.markup',
    section: 'RFC 7643 §2.3.1',
    level: 'practice',
    title: 'A text of a user with & and < is returned as it was sent, or rejected',
    needs: ['check:create.user'],
    advice: 'Escape a text where a page shows it, not where it is stored or returned.',
    affects: { entra: 'A department such as R&D is changed by each synchronization.' },
    run: async (server) => {
      const type = server.type('User')
      const field = freeFields(type).find(isText)
      if (field === undefined) return skip('The schema of User does not declare such a text.')
      const { attribute, parent, container } = field
      const place = { container, attribute: parent ?? attribute }
      const user = server.sample('User')
      const value =
        parent === null ? TEXT : { ...Object(readAttribute(user, place)), [attribute.name]: TEXT }
      const response = await server.post(type.endpoint, writeAttribute(user, place, value))
      if (response.status === 400) return
      expectStatus(response, 201)
      const path = `${type.endpoint}/${encodeURIComponent(`${response.body.id}`)}`
      const found = memberAt(await readResource(server, path), placeOf(field))
      if (found === undefined) return skip(`The server does not store ${field.path}.`)
      expectEqual(found, TEXT, `${field.path} of ${path}`)
    },
  },
]

/** Whether a client may choose any text. */
function isText(field: Field): boolean {
  const { name, type, canonicalValues = [] } = field.attribute
  return (
    type === 'string' &&
    canonicalValues.length === 0 &&
    !isDecided(field) &&
    !/^(preferredLanguage|locale|timezone)$/.test(name)
  )
}

const TEXT = `R&D < "Q" > 'A'`
