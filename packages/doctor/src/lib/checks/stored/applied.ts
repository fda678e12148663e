import { isFailure, unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { isSameJson, type JsonObject, memberAt } from '../../json.ts'
import { type Field, fieldsOf } from '../../model/fields.ts'
import { comparedFields, differences, textOf, UNASSIGNED } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, show } from '../../toolkit/expect.ts'
import type { Operation, Server } from '../../toolkit/server.ts'
import { createPlain } from './creates.ts'
import { placeOf, readWhole, type Whole } from './wholes.ts'

/**
 * Sends PATCH operations, and requires the resource to become the result of `applyPatch`: with all attributes in a
 * thorough examination, otherwise with those the operations name.
 */
export async function expectApplied(
  server: Server,
  { type, path }: Pick<Whole, 'type' | 'path'>,
  operations: readonly Operation[],
  named: readonly Field[],
): Promise<void> {
  const { definitions } = type
  const before = await readWhole(server, type, path)
  const parsed = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: operations }))
  const patched = applyPatch(before, parsed, { definitions })
  const response = await server.modify(path, ...operations)
  // RFC 7644 §3.12: a server limits the request size, such as the number of operations.
  if (response.status === 413 && operations.length > 1) {
    for (const one of operations) {
      const fields = named.filter((field) => field.path === one.path)
      await expectApplied(server, { type, path }, [one], fields)
    }
    return
  }
  if (isFailure(patched)) {
    expectStatus(response, patched.error.status)
    return
  }
  expectStatus(response, 200, 204)
  const after = await readWhole(server, type, path)
  const expected = server.settle(type, patched.data, before)
  const lines = server.isThorough
    ? await withoutDefaults(
        server,
        type,
        differences(fieldsOf(definitions), expected, after),
        after,
      )
    : named.flatMap((field) => changesOf(field, { before, expected, after }))
  expectNoDifferences(lines, `the result of the operations ${show(operations)}`)
}

interface States {
  readonly before: JsonObject
  readonly expected: JsonObject
  readonly after: JsonObject
}

/** Lists the differences of a named attribute. A removed value may have a default, such as true for active. */
function changesOf(field: Field, { before, expected, after }: States): readonly string[] {
  if (field.attribute.multiValued) return differences([field], expected, after)
  const [old, wanted, found] = [before, expected, after].map((one) => memberAt(one, placeOf(field)))
  const isExpected = isSameJson(found, wanted) || (wanted === undefined && !isSameJson(found, old))
  return isExpected ? [] : [`${field.path}: expected ${show(wanted)}, came ${show(found)}`]
}

/** Omits differences due to defaults. RFC 7644 §3.5.2.2: a removed attribute may have one. */
async function withoutDefaults(
  server: Server,
  type: Whole['type'],
  lines: readonly string[],
  after: JsonObject,
): Promise<readonly string[]> {
  if (lines.length === 0) return []
  const byDefault = await readWhole(server, type, await createPlain(server, type))
  const defaults = comparedFields(fieldsOf(type.definitions))
    .filter((field) => textOf(field, after) === textOf(field, byDefault))
    .map(({ path }) => `${path}: expected ${UNASSIGNED}, `)
  return lines.filter((line) => !defaults.some((start) => line.startsWith(start)))
}
