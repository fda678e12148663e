import type { JsonObject } from '../json.ts'
import { fieldsOf, isUnique, targetsOf } from '../model/fields.ts'
import { sampleResource as generate } from '../model/generate.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { createResource } from './create.ts'
import { Blocked } from './finding.ts'
import { readResource } from './patch.ts'
import { sampleResource } from './sample.ts'
import type { ServerOptions } from './server.ts'

/** Creates the shared resources of a type, and reads them. Returns none if the server rejects one. */
export async function createShelf(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
): Promise<readonly JsonObject[]> {
  const shelf: JsonObject[] = []
  try {
    for (let number = 1; number <= (options.isThorough ? 9 : 5); number += 1) {
      const usual = sampleResource(type, options.unique)
      const wanted = { ...usual, ...generated(type, number), ...identityOf(type, usual) }
      const fewer = [() => options.adapt(usual, type.name)]
      const adapted = options.adapt(wanted, type.name)
      const { path } = await createResource(options, client, type, adapted, { fewer })
      shelf.push(await readResource(client, path))
    }
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    return []
  }
  options.keep()
  return shelf
}

/** A selection of the attributes that do not refer to other resources. */
function generated({ definitions }: ExaminedType, number: number): JsonObject {
  const fields = fieldsOf(definitions).filter(
    ({ attribute, parent }) =>
      targetsOf(parent ?? attribute).length === 0 && attribute.name !== 'password',
  )
  return generate({ definitions, fields }, number, { extent: 'varied', refer: () => '' })
}

/** The members that are unique on the server, or contain the marker. */
function identityOf({ definitions, schema }: ExaminedType, usual: JsonObject): JsonObject {
  const names = (definitions[schema]?.attributes ?? [])
    .filter((one) => one.required === true || isUnique(one))
    .map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(usual).filter(([name]) => names.includes(name) || name === 'externalId'),
  )
}
