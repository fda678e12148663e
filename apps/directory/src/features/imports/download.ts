import { open } from 'node:fs/promises'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import { hasCursors, type ReadLimits, readPages } from './read-server.ts'
import type { RemoteServer } from './request-server.ts'
import { SourceError } from './source.ts'

/** Options for `download`. */
export interface DownloadOptions {
  readonly server: RemoteServer
  readonly types: readonly Pick<ResourceType, 'name' | 'endpoint'>[]
  /** A new file, readable only by the process's user. */
  readonly file: string
  /** Called with a type, how many resources were read, and the total. */
  readonly progress?: (type: string, done: number, of: number) => void
  readonly limits?: ReadLimits
}

/**
 * Writes a server's resources as JSON lines, in the format of an export. Returns each line's type and id, such as
 * `User 7`. Rejects with a SourceError if it cannot read all of them.
 */
export async function download({
  server,
  types,
  file,
  progress,
  limits,
}: DownloadOptions): Promise<readonly string[]> {
  const isByCursor = await hasCursors(server)
  const options = { isByCursor, ...(limits && { limits }) }
  const names: string[] = []
  const output = await open(file, 'wx', 0o600)
  try {
    for (const { name, endpoint } of types) {
      let done = 0
      for await (const { resources, total } of readPages(server, endpoint, options)) {
        done += resources.length
        for (const { id, resource } of resources) {
          names.push(`${name} ${id}`)
          const meta = { ...Object(resource.meta), resourceType: name }
          await output.write(`${JSON.stringify({ ...resource, meta })}\n`)
        }
        progress?.(name, Math.min(done, total ?? done), total ?? done)
      }
    }
  } finally {
    await output.close()
  }
  if (names.length === 0) throw new SourceError(`${server.url} does not have any resource`)
  return names
}
