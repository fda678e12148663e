import type { Check } from '../../check.ts'
import { fieldsOf } from '../../model/fields.ts'
import { RULES } from '../../rules.ts'
import { comparedFields, textOf, UNASSIGNED } from '../../toolkit/differences.ts'
import { expectMember, expectNoDifferences, expectStatus } from '../../toolkit/expect.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { withReferences } from '../../toolkit/references.ts'
import { otherTypes } from '../declared/shelves.ts'
import { createPlain, plainOf } from './creates.ts'
import { expectStored } from './kept.ts'
import { isState, readWhole } from './wholes.ts'

/** Rules for replacing resources of each type. */
export const STORED_REPLACE_CHECKS: readonly Check[] = [
  {
    id: 'stored.replace',
    ...RULES.putReplaces,
    title: 'A PUT stores each value that was sent, and that a schema declares',
    needs: ['write', 'check:stored.create'],
    advice: 'Write every column by PUT, also those of extensions and of the tables of lists.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const path = await createPlain(server, type)
        const fields = fieldsOf(type.definitions)
        const whole = server.whole(type)
        const next = server.isThorough ? await withReferences(server, type, whole) : whole
        const before = await readWhole(server, type, path)
        const sent = withImmutable(fields, next, before)
        const response = await server.put(path, sent)
        // A server may reject values without a place.
        if (response.status === 400 && !server.isThorough) continue
        expectStatus(response, 200, 204)
        if (response.body.id !== undefined) expectMember(response, 'id', before.id)
        await expectStored(server, type, path, sent)
      }
    },
  },
  {
    id: 'stored.clear',
    section: 'RFC 7644 §3.5.1',
    level: 'practice',
    title: 'A PUT clears the values that it leaves out, or gives them their default',
    needs: ['write'],
    advice: 'Set the columns of missing attributes to NULL, and delete their rows of lists.',
    affects: { okta: 'Values that were deleted in the directory stay in the application.' },
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const fields = fieldsOf(type.definitions)
        const { path } = await server.createWhole(type)
        const before = await readWhole(server, type, path)
        const byDefault = await readWhole(server, type, await createPlain(server, type))
        const body = withImmutable(fields, await plainOf(server, type), before)
        expectStatus(await server.put(path, body), 200, 204)
        const after = await readWhole(server, type, path)
        const lines = comparedFields(fields).flatMap((field) => {
          const [old, kept] = [textOf(field, before), textOf(field, after)]
          // RFC 7644 §3.5.1 allows a default for a missing value.
          const isDefault = kept === UNASSIGNED || kept === textOf(field, byDefault)
          const isAllowed = isDefault || isState(field)
          if (textOf(field, body) !== UNASSIGNED || isAllowed || kept !== old) return []
          return [`${field.path}: expected ${UNASSIGNED}, came ${kept}`]
        })
        expectNoDifferences(lines, `${path} without the values that the PUT leaves out`)
      }
    },
  },
]
