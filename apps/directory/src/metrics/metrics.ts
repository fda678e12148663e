import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProvisioningLog } from '../provisioning/provisioning-log.ts'
import type { Load, Store } from '../store/store.ts'

/** The parts of a server that its metrics describe. */
export interface MetricsOptions {
  readonly store: Pick<Store, 'dialect' | 'load'>
  /** Null if this server does not log requests. */
  readonly provisioning: Pick<ProvisioningLog, 'counts'> | null
  /** The directory's version. */
  readonly version: string
  /** Whether memory, processor time and the event loop of the process are included. */
  readonly isProcess: boolean
}

/** A request that was answered. */
export interface MeasuredRequest {
  readonly method: string
  /** The route's pattern; null if no route matched. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
}

/** The metrics of one server. */
export interface Metrics {
  observe(request: MeasuredRequest): void
  /** All metrics in the text format 0.0.4 of Prometheus. */
  print(): Promise<string>
}

/**
 * Creates the metrics of one server. Labels have few values: a route is a pattern, and a method that is not one of
 * HTTP is `other`. A tenant is not a label, because each of its series would be kept for every tenant.
 */
export function createMetrics({
  store,
  provisioning,
  version,
  isProcess,
}: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'directory_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'directory_http_request_duration_seconds',
    help: 'The time from the head of a request to the head of its answer.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  })
  addLoads(registry, 'work', 'kind', () => store.load().work)
  addLoads(registry, 'connections', 'pool', () => store.load().connections)
  if (provisioning !== null) addRequestLog(registry, provisioning)
  new Gauge({
    name: 'directory_build_info',
    help: 'The versions of the server. The value is always 1.',
    labelNames: ['version', 'node', 'database'],
    registers,
  }).set({ version, node: process.version, database: store.dialect.name }, 1)
  if (isProcess) collectDefaultMetrics({ register: registry })
  return {
    observe: ({ method: sent, route: matched, status, milliseconds }) => {
      const method = METHODS.has(sent) ? sent : 'other'
      const route = matched ?? 'unknown'
      requests.inc({ method, route, status })
      durations.observe({ method, route }, milliseconds / 1_000)
    },
    print: () => registry.metrics(),
  }
}

/** Adds the gauges of work or connections. Each scrape reads them. */
function addLoads(
  registry: Registry,
  name: 'work' | 'connections',
  label: string,
  read: () => readonly Load[],
): void {
  for (const [count, help] of Object.entries(LOADS[name])) {
    new Gauge({
      name: `directory_database_${name}_${count}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const load of read()) this.set({ [label]: load.name }, countOf(load, count))
      },
    })
  }
}

function countOf({ running, waiting, limit }: Load, count: string): number {
  return count === 'waiting' ? waiting : count === 'limit' ? limit : running
}

/** Adds the counts of the provisioning log since the start of the process. */
function addRequestLog(registry: Registry, { counts }: Pick<ProvisioningLog, 'counts'>): void {
  const registers = [registry]
  new Gauge({
    name: 'directory_request_log_waiting',
    help: 'Requests that wait to be stored in the provisioning log.',
    registers,
    collect() {
      this.set(counts().waiting)
    },
  })
  for (const name of ['stored', 'dropped'] as const) {
    new Counter({
      name: `directory_request_log_${name}_total`,
      help: `Requests that the provisioning log has ${name}.`,
      registers,
      collect() {
        this.reset()
        this.inc(counts()[name])
      },
    })
  }
}

const LOADS = {
  work: {
    running: 'Work on the database that runs.',
    waiting: 'Work on the database that waits for its turn.',
    limit: 'How much work of a kind runs at the same time.',
  },
  connections: {
    used: 'Connections to the database that are in use.',
    waiting: 'Work that waits for a connection.',
    limit: 'The most connections of a pool.',
  },
}

/** The upper limits of the buckets. A scan is stopped after 15 seconds, and a statement after 30. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30]
const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
])
