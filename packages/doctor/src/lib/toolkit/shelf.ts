import type { JsonObject } from '../json.ts'
import { fieldsOf, isUnique, targetsOf } from '../model/fields.ts'
import { type Extent, generateResource } from '../model/generate.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { createResource } from './create.ts'
import { Blocked } from './finding.ts'
import { readResource } from './patch.ts'
import { sampleResource } from './sample.ts'
import type { Created, ServerOptions } from './server.ts'

/** Creates a type's shared resources, and reads them. Returns none if the server rejects one. */
export async function createShelf(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
): Promise<readonly JsonObject[]> {
  const shelf: JsonObject[] = []
  try {
    for (let number = 1; number <= (options.isThorough ? 9 : 5); number += 1) {
      const { path } = await createGenerated(options, client, type, { number, extent: 'varied' })
      shelf.push(await readResource(client, path))
    }
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    return []
  }
  options.keep()
  return shelf
}

/** Creates a generated resource, or a usual one if the server rejects it. */
export async function createGenerated(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
  generated: Generated,
): Promise<Created> {
  const wanted = generateSample(options, type, generated)
  const fewer = [() => options.adapt(sampleResource(type, options.unique), type.name)]
  return await createResource(options, client, type, wanted, { fewer })
}

/** Which resource is generated. */
export interface Generated {
  /** Resources with different numbers have different values. */
  readonly number: number
  readonly extent: Extent
  /** Members to replace the generated ones. */
  readonly overrides?: JsonObject | undefined
}

/** Generates a resource with values for attributes, except references to other resources. */
export function generateSample(
  { unique, adapt }: Pick<ServerOptions, 'unique' | 'adapt'>,
  type: ExaminedType,
  { number, extent, overrides = {} }: Generated,
): JsonObject {
  const usual = sampleResource(type, unique)
  const values = valuesOf(type, number, extent)
  const resource = {
    ...(extent !== 'minimal' && usual),
    ...values,
    ...identityOf(type, usual, extent),
  }
  return { ...adapt(resource, type.name), ...overrides }
}

function valuesOf({ definitions }: ExaminedType, number: number, extent: Extent): JsonObject {
  const fields = fieldsOf(definitions).filter(
    ({ attribute, parent }) =>
      targetsOf(parent ?? attribute).length === 0 && attribute.name !== 'password',
  )
  return generateResource({ definitions, fields }, number, { extent, refer: () => '' })
}

/** The members that are unique on the server, or contain the marker; in a minimal resource, only the required ones. */
function identityOf(
  { definitions, schema }: ExaminedType,
  usual: JsonObject,
  extent: Extent,
): JsonObject {
  const isWhole = extent !== 'minimal'
  const names = (definitions[schema]?.attributes ?? [])
    .filter((one) => one.required === true || (isWhole && isUnique(one)))
    .map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(usual).filter(
      ([name]) => names.includes(name) || (isWhole && name === 'externalId'),
    ),
  )
}
