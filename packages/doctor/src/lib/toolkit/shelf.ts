import type { JsonObject } from '../json.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { createResource } from './create.ts'
import { Blocked } from './finding.ts'
import { readResource } from './patch.ts'
import { type Generated, generateResource, sampleResource } from './sample.ts'
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
  overrides: JsonObject = {},
): Promise<Created> {
  const wanted = { ...generateSample(options, type, generated), ...overrides }
  const fewer = [() => options.adapt(sampleResource(type, options.unique), type.name)]
  return await createResource(options, client, type, wanted, { fewer })
}

/** Generates a resource, and adapts it to the server. */
export function generateSample(
  { unique, adapt }: Pick<ServerOptions, 'unique' | 'adapt'>,
  type: ExaminedType,
  generated: Generated,
): JsonObject {
  return adapt(generateResource(type, unique, generated), type.name)
}
