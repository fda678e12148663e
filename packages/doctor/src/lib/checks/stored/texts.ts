import type { Check } from '../../check.ts'
import { type JsonObject, memberAt, withAt } from '../../json.ts'
import { type Field, isUnique, writeAttribute } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { spareText } from '../../toolkit/spare.ts'
import { otherTypes } from '../declared/shelves.ts'
import { expectKept, forEachOffered, isOffered, pathOf, readFields } from './kept.ts'
import { isOpen, readWhole } from './wholes.ts'

/** Rules for texts in new resources of each type. */
export const STORED_TEXT_CHECKS: readonly Check[] = [
  {
    id: 'stored.texts',
    section: 'RFC 7643 §2.3.1',
    level: 'practice',
    title: 'Texts of each type are stored exactly as they were sent, or rejected if they are long',
    needs: ['write'],
    advice:
      'Send values as parameters of the statement, never in its text. Do not trim, escape or normalize them. Use columns without a limit, or answer 400.',
    run: async (server) => {
      const types = otherTypes(server, (type) => freeTexts(server, type).length > 0)
      if (types.length === 0) return await expectPartKept(server)
      await forEachOffered(types, async (type) => {
        for (const text of server.isThorough ? [...TEXTS, ...LONG_TEXTS] : TEXTS.slice(0, 1)) {
          const body = server.settle(type, withText(server, type, text))
          const response = await server.post(type.endpoint, body)
          if (!isOffered(response)) return false
          const isRejected = response.status === 400 && LONG_TEXTS.includes(text)
          if (!isRejected) await expectKept(server, type, response, body, freeTexts(server, type))
        }
        return true
      })
    },
  },
]

/** Requires the same from a text in a complex attribute. */
async function expectPartKept(server: Server): Promise<void> {
  const type = server.types.find((one) => spareText(one) !== undefined)
  const path = type && spareText(type)
  if (type === undefined || path === undefined)
    return skip('No resource type has a text that a client may choose.')
  for (const text of TEXTS.slice(0, 1)) {
    const body = withAt(server.sample(type.name), { [path]: text })
    const response = await server.post(type.endpoint, body)
    if (response.status === 400) continue
    const stored = await readWhole(server, type, pathOf(type, response))
    expectEqual(memberAt(stored, path), text, `${path} as it was sent`)
  }
}

/** Returns a resource with the text in each free string attribute. */
function withText(server: Server, type: ExaminedType, text: string): JsonObject {
  return freeTexts(server, type).reduce(
    (body, field) => writeAttribute(body, field, text),
    server.whole(type),
  )
}

/** Single texts a client may choose, which need not be unique. */
function freeTexts(server: Server, type: ExaminedType): readonly Field[] {
  return readFields(server, type).filter(
    ({ parent, attribute }) =>
      parent === null &&
      attribute.type === 'string' &&
      !attribute.multiValued &&
      (attribute.canonicalValues ?? []).length === 0 &&
      !attribute.required &&
      isOpen(attribute) &&
      !isUnique(attribute) &&
      !VALIDATED.includes(attribute.name),
  )
}

/** Texts a server may check against its own list (RFC 7643 §4.1.1), or that may be unique. */
const VALIDATED: readonly string[] = ['externalId', 'preferredLanguage', 'locale', 'timezone']

/** Texts a statement or a driver could change. */
const TEXTS: readonly string[] = [
  `O'Brien"; drop table users; --`,
  String.raw`100% _ \ \n %41 \u0041`,
  ' two  spaces ',
  'Zoë Zoe\u0308 \u0301e ß ﬁ Ж 日本',
  '👩‍👩‍👧 🏳️‍🌈',
  '{"json":[1]}',
  '<b>&amp;</b>',
  'null',
  'line\nbreak\r\n\ttab',
]

/** Texts longer than the usual columns. */
const LONG_TEXTS: readonly string[] = [100, 300, 1_000].map((length) =>
  'abcdefghijklmnopqrst'.repeat(length / 20),
)
