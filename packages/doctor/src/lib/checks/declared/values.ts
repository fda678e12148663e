import type { Check } from '../../check.ts'
import { isSameJson, type JsonObject, memberAt } from '../../json.ts'
import type { Field } from '../../model/fields.ts'
import { RULES } from '../../rules.ts'
import { expectStatus, expectThat, show } from '../../toolkit/expect.ts'
import { forEachWhole, keptValues, placeOf } from '../stored/wholes.ts'
import { isDecided, listAll } from './shelves.ts'

/** Rules for each value a server stored. */
export const DECLARED_VALUE_CHECKS: readonly Check[] = [
  {
    id: 'declared.attributes',
    ...RULES.projections,
    title: 'attributes returns each value that a schema declares if it is named',
    needs: ['write'],
    advice: 'Look up each named attribute in the schemas of the resource type.',
    run: (server) =>
      forEachWhole(server, async (whole) => {
        const { type, id, path } = whole
        for (const field of keptValues(whole)) {
          const query = { attributes: field.path }
          const response = await server.get(path, { query })
          expectStatus(response, 200)
          expectSame(response.body, field, field.value)
          if (!server.isThorough) continue
          const listed = (await listAll(server, type, query))?.find((one) => one.id === id)
          if (listed !== undefined) expectSame(listed, field, field.value)
        }
        return keptValues(whole).length > 0
      }),
  },
  {
    id: 'declared.excluded',
    ...RULES.projections,
    title: 'excludedAttributes removes the value that is named, and no other',
    needs: ['write'],
    advice: 'Look up each named attribute in the schemas of the resource type.',
    run: (server) =>
      forEachWhole(server, async (whole) => {
        const { path } = whole
        const kept = keptValues(whole)
        const fields = kept.filter(
          (field) => field.attribute.returned !== 'always' && !isDecided(field),
        )
        for (const field of server.isThorough ? fields : fields.slice(0, 3)) {
          const response = await server.get(path, { query: { excludedAttributes: field.path } })
          expectStatus(response, 200)
          const found = memberAt(response.body, placeOf(field))
          expectThat(found === undefined, `a ${field.path} that is absent`, found)
          for (const other of kept) {
            if (other.path !== field.path) expectSame(response.body, other, other.value)
          }
        }
        return fields.length > 0
      }),
  },
]

function expectSame(resource: JsonObject, field: Field, value: unknown): void {
  const found = memberAt(resource, placeOf(field))
  expectThat(isSameJson(found, value), `${field.path} to be ${show(value)}`, found)
}
