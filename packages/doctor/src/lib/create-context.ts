import { type Confirm, requireAccess, requireConfirmation } from './access.ts'
import { type Discovered, discover } from './discover.ts'
import { ExaminationError } from './examination-error.ts'
import { createFeatures } from './features.ts'
import type { Redaction } from './http/redaction.ts'
import type { ExaminedType } from './model/types.ts'
import type { Outcome } from './report.ts'
import type { CheckContext } from './run-check.ts'
import type { Adapt } from './toolkit/adapt.ts'
import type { Cleaner } from './toolkit/cleaner.ts'
import { type Client, type ClientOptions, createClient } from './toolkit/client.ts'
import { createServer } from './toolkit/create-server.ts'
import { leakFinder } from './toolkit/leaks.ts'
import type { ServerOptions, Settle } from './toolkit/server.ts'
import { withValues } from './toolkit/values.ts'

/** The parts of an examination needed to send requests. */
export interface Connection {
  readonly client: ClientOptions
  readonly cleaner: Cleaner
  readonly redaction: Redaction
}

/** Options that change what checks see. */
interface ContextOptions {
  readonly types?: readonly string[] | undefined
  readonly hostile?: boolean | undefined
  readonly thorough?: boolean | undefined
  readonly values?: Readonly<Record<string, string>> | undefined
  readonly adapt?: Adapt | undefined
  readonly settle?: Settle
  readonly confirm?: Confirm | undefined
}

/**
 * Reads the discovery documents, and prepares what the checks share. Throws an ExaminationError if the server cannot be
 * examined.
 */
export async function createContext(
  { cleaner, client, redaction }: Connection,
  options: ContextOptions,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<CheckContext> {
  const { hostile = false } = options
  const unrecorded = createClient(client, () => undefined)
  const found = await discover(unrecorded)
  const types = limitTypes(found.types, options.types)
  const discovered = { ...found, types }
  await requireAccess(unrecorded, types)
  const allowWrite = confirmOnce(unrecorded, types, options)
  const server = prepareServer(discovered, cleaner, options)
  const inspect = leakFinder(types, client.base, server.shared.leaks)
  const { isReadOnly, authorization } = client
  const facts = { ...discovered, client: unrecorded, isReadOnly }
  return {
    outcomes,
    types,
    findReason: createFeatures({
      ...facts,
      hasCredentials: authorization !== null,
      isHostile: hostile,
    }),
    serverFor: (record) =>
      createServer(server, createClient({ ...client, allowWrite, inspect }, record)),
    redact: redaction.redact,
  }
}

function limitTypes(
  types: readonly ExaminedType[],
  names: readonly string[] | undefined,
): readonly ExaminedType[] {
  const unknown = names?.find((name) => !types.some((type) => type.name === name))
  if (unknown !== undefined) {
    const known = types.map(({ name }) => name).join(', ')
    throw new ExaminationError('invalid-options', `${unknown} is not one of the types ${known}`)
  }
  return types.filter(({ name }) => names?.includes(name) ?? true)
}

/** Returns a function whose first call asks for the permission to write. */
function confirmOnce(
  client: Client,
  types: readonly ExaminedType[],
  { confirm }: ContextOptions,
): () => Promise<void> {
  let allowed: Promise<void> | undefined
  return () => {
    allowed ??= confirm ? requireConfirmation(client, types, confirm) : undefined
    return allowed ?? Promise.resolve()
  }
}

/** Prepares the server for all checks. Unique texts and samples share one count. */
function prepareServer(
  discovered: Discovered,
  { marker, keep }: Cleaner,
  options: ContextOptions,
): ServerOptions {
  const {
    thorough = false,
    values = {},
    adapt = (resource) => resource,
    settle = (_, resource) => resource,
  } = options
  let count = 0
  return {
    ...discovered,
    marker,
    adapt: (resource, resourceType) => {
      count += 1
      const type = discovered.types.find(({ name }) => name === resourceType)
      const adapted = type === undefined ? resource : withValues(resource, type, values)
      return adapt(adapted, { resourceType, number: count })
    },
    unique: () => {
      count += 1
      return `${marker}-${count}`
    },
    settle,
    shared: {
      people: null,
      everyone: null,
      team: null,
      shelves: new Map(),
      wholes: new Map(),
      rejections: new Map(),
      reduced: new Set(),
      leaks: [],
    },
    keep,
    isThorough: thorough,
  }
}
