import type { Load, Store } from '../../kernel/store/store.ts'

/** Options for `readingsOf`. */
export interface ReadingsOptions {
  readonly store: Pick<Store, 'load'> & {
    readonly dialect: Pick<Store['dialect'], 'name'>
  }
  /** Null if this server does not log requests. */
  readonly provisioning: CountedLog | null
  /** The directory's version. */
  readonly version: string
}

/** A log of requests, such as the provisioning log. */
export interface CountedLog {
  /** The number of waiting requests, and how many were stored and dropped since the start. */
  counts(): { readonly waiting: number; readonly stored: number; readonly dropped: number }
}

/** A metric with values read at collection time. */
export interface Reading {
  /** The name, without the suffix Prometheus adds for counters. */
  readonly name: string
  readonly help: string
  readonly isCounter: boolean
  readonly labels: readonly string[]
  read(): readonly Value[]
}

/** A value with its labels. */
export interface Value {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Returns a server's metrics, except request metrics. They are read for each metrics output. */
export function readingsOf({ store, provisioning, version }: ReadingsOptions): readonly Reading[] {
  const build = { version, node: process.version, database: store.dialect.name }
  return [
    ...loads('work', 'kind', () => store.load().work),
    ...loads('connections', 'pool', () => store.load().connections),
    ...(provisioning === null ? [] : requestLog(provisioning)),
    {
      name: 'directory_build_info',
      help: 'The versions of the server. The value is always 1.',
      isCounter: false,
      labels: Object.keys(build),
      read: () => [{ labels: build, value: 1 }],
    },
  ]
}

/** Returns the gauges for work or connections. */
function loads(
  name: 'work' | 'connections',
  label: string,
  read: () => readonly Load[],
): readonly Reading[] {
  return Object.entries(LOADS[name]).map(([count, help]) => ({
    name: `directory_database_${name}_${count}`,
    help,
    isCounter: false,
    labels: [label],
    read: () =>
      read().map((load) => ({ labels: { [label]: load.name }, value: countOf(load, count) })),
  }))
}

function countOf({ running, waiting, limit }: Load, count: string): number {
  return count === 'waiting' ? waiting : count === 'limit' ? limit : running
}

/** Returns the provisioning log's counts since the process started. */
function requestLog({ counts }: CountedLog): readonly Reading[] {
  return REQUEST_LOG.map(([count, help, isCounter]) => ({
    name: `directory_request_log_${count}`,
    help,
    isCounter,
    labels: [],
    read: () => [{ labels: {}, value: counts()[count] }],
  }))
}

const LOADS = {
  work: {
    running:
      'Work on the database that runs: scans, and writes on SQLite or look-ups and writes on PostgreSQL.',
    waiting: 'Work on the database that waits for its turn.',
    limit: 'How much work of a kind runs at the same time.',
  },
  connections: {
    used: 'Connections to the database that are in use.',
    waiting: 'Work that waits for a connection.',
    limit: 'The most connections of a pool.',
  },
}

const REQUEST_LOG = [
  ['waiting', 'Requests that wait to be stored in the provisioning log.', false],
  ['stored', 'Requests that the provisioning log has stored.', true],
  ['dropped', 'Requests that the provisioning log has dropped.', true],
] as const
