import type { Received } from './http/exchange.ts'
import { objectsOf } from './json.ts'
import { type Cleaner, type Doubt, isMarked, type Remaining } from './toolkit/cleaner.ts'
import type { Client } from './toolkit/client.ts'
import { Blocked } from './toolkit/finding.ts'

/** The parts of an examination that delete what it created. */
export interface CleanOptions {
  readonly cleaner: Cleaner
  /** Sends requests also after an interruption. */
  readonly client: Client
  /** Waits until a slow server has created a resource. */
  readonly pause: () => Promise<void>
}

/** Deletes all resources except kept ones, latest first, so groups are deleted before their members. */
export async function clean(options: CleanOptions): Promise<void> {
  await deleteAll(options, options.cleaner.remaining({ all: false }))
}

/**
 * Deletes all resources the examination created. Where a request did not get a response, it searches for the marker.
 * Returns the URLs of the resources it could not delete, and of the collections it could not search.
 */
export async function cleanAll(options: CleanOptions): Promise<readonly string[]> {
  const { cleaner, pause } = options
  const answers = await deleteAll(options, cleaner.remaining({ all: true }))
  let open = cleaner.doubts().map((doubt) => ({ ...doubt, isSearched: false }))
  if (answers) {
    open = await searchAll(options, open)
    if (open.some(({ isSearched, isOpen }) => isSearched && isOpen)) {
      await pause()
      open = await searchAll(options, open)
    }
    await deleteAll(options, cleaner.remaining({ all: true }))
  }
  const unsearched = open.flatMap(({ collection, isSearched }) => (isSearched ? [] : [collection]))
  return [...cleaner.remaining({ all: true }).map(({ url }) => url), ...unsearched]
}

/** Returns whether the server answers. If it does not, the remaining resources are not tried. */
async function deleteAll(options: CleanOptions, list: readonly Remaining[]): Promise<boolean> {
  let silent = 0
  for (const one of list) {
    silent = (await deleteOne(options, one)) ? 0 : silent + 1
    if (silent === MAX_SILENT) return false
  }
  return true
}

/** Returns whether the server answered. */
async function deleteOne(options: CleanOptions, { url, isProven }: Remaining): Promise<boolean> {
  const { cleaner, client } = options
  try {
    if (!isProven) {
      const { status, text } = await client.get(url)
      if (status === 404) cleaner.gone(url)
      // A server that returned another resource's URL must not lose that resource.
      if (!isMarked(text, cleaner.marker)) return true
    }
    await client.delete(url)
    return true
  } catch (error) {
    if (error instanceof Blocked) return true
    // It stays in the list of resources that could not be deleted.
    return false
  }
}

/** Searches collections for the marker. Returns those in which it was not found. */
async function searchAll(
  options: CleanOptions,
  doubts: readonly Doubt[],
): Promise<(Doubt & { isSearched: boolean })[]> {
  const open = []
  for (const doubt of doubts) {
    const outcome = await search(options, doubt).catch(() => 'unknown' as const)
    if (outcome !== 'found') open.push({ ...doubt, isSearched: outcome === 'none' })
  }
  return open
}

async function search(
  options: CleanOptions,
  { collection, attributes }: Doubt,
): Promise<'found' | 'none' | 'unknown'> {
  const { cleaner, client } = options
  for (const attribute of attributes) {
    const filter = `${attribute} sw ${JSON.stringify(cleaner.marker)}`
    const response = await client.get(collection, { query: { filter, count: PAGE } })
    if (addMarked(cleaner, collection, response) > 0) return 'found'
    if (response.status === 200 && response.body.totalResults === 0) return 'none'
  }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { startIndex: page * PAGE + 1, count: PAGE }
    const response = await client.get(collection, { query })
    if (response.status !== 200) return 'unknown'
    if (addMarked(cleaner, collection, response) > 0) return 'found'
    const seen = page * PAGE + objectsOf(response.body.Resources).length
    if (seen >= Number(response.body.totalResults)) return 'none'
  }
  return 'unknown'
}

/** Adds the resources in a list response that contain the marker, and returns how many. */
function addMarked(cleaner: Cleaner, collection: string, { body }: Received): number {
  const marked = objectsOf(body.Resources).filter(
    (one) => typeof one.id === 'string' && isMarked(JSON.stringify(one), cleaner.marker),
  )
  for (const { id } of marked) cleaner.found(`${collection}/${encodeURIComponent(String(id))}`)
  return marked.length
}

const PAGE = 100
const MAX_PAGES = 10
const MAX_SILENT = 3
