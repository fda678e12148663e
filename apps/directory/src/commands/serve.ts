import { createDirectory, type Directory } from '../app.ts'
import { createChangeDeletion } from '../features/changes/deletion.ts'
import { createProvisioningLog } from '../features/log/provisioning-log.ts'
import { createSurvey } from '../features/metrics/survey.ts'
import { createRecorder } from '../features/recordings/recorder.ts'
import { createRecordingDeletion } from '../features/recordings/recording-deletion.ts'
import { createTenantDeletion } from '../features/tenants/deletion.ts'
import { LAYOUT } from '../features/tenants/tables.ts'
import { createReceivers } from '../features/webhooks/addresses.ts'
import { createDeliveryJob } from '../features/webhooks/delivery-job.ts'
import { expressible } from '../kernel/clock.ts'
import type { Job } from '../kernel/jobs/background.ts'
import { createClientLimits } from '../kernel/rate-limit/client-limits.ts'
import { openStore } from '../kernel/store/open.ts'
import type { Store } from '../kernel/store/store.ts'
import { GRACE, type Listening, listen } from '../server.ts'
import { createLog, jobEntry, type LogOutput, processEntry } from '../shell/observe/request-log.ts'
import { findTelemetry } from '../shell/observe/telemetry.ts'
import type { Config } from './config.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { createFenceWatch, stopWhenOutdated } from './fence-watch.ts'
import { type Greeting, greet, greetAsEntry, isInJournal } from './greeting.ts'
import { prepare } from './seed/bootstrap.ts'
import { type ShutdownStep, shutDown, withJobs } from './shutdown.ts'
import { checkHistory } from './watch-history.ts'

/** Serves the directory until SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<void> {
  const store = await attempt(config, () => openStore(config.database, LAYOUT))
  const ready = () =>
    attempt(config, () =>
      prepare(store, { token: config.token, hasDemo: true }, expressible(Date.now())),
    )
  // A client with DIRECTORY_TOKEN may send requests as soon as the server listens. Otherwise the token is created after
  // the port is bound: an unprinted token would be lost.
  if (config.token !== null) await ready()
  const { token, publicOrigin } = config
  const log = createLog((lines) => process.stdout.write(lines), { level: config.logLevel })
  process.once('exit', log.flush)
  store.jobs.writeTo((failure) => log(jobEntry(failure, expressible(Date.now()))))
  // The log's reader may close the pipe, or the disk may be full.
  process.stdout.on('error', () => undefined)
  const provisioning =
    config.requestLog.rows === 0
      ? null
      : createProvisioningLog({ store, now: () => expressible(Date.now()), ...config.requestLog })
  const limits = config.rateLimit === null ? null : createClientLimits(config.rateLimit)
  const recorder = createRecorder({ store, now: () => expressible(Date.now()) })
  const directory = createDirectory({
    store,
    token,
    publicOrigin,
    log,
    provisioning,
    limits,
    recorder,
    receivers: createReceivers({ allow: config.webhookAllow }),
    telemetry: await findTelemetry(),
    isProcess: true,
  })
  const server = await bind(directory, config, (maxConnections) =>
    log(processEntry(`connections are closed: more than ${maxConnections} are open`, {})),
  )
  const jobs = createJobs(store, directory, config)
  // Before a delivery moves the database.
  jobs.push(await checkHistory({ store, url: config.database, log }))
  for (const job of jobs) job.start()
  const newToken = config.token === null ? await ready() : null
  const steps: readonly ShutdownStep[] = [
    { name: 'requests', close: server.stop },
    { name: 'jobs', close: async () => void (await Promise.all(jobs.map((job) => job.close()))) },
    { name: 'recordings', close: recorder.flush },
    { name: 'request log', close: async () => await provisioning?.close() },
    { name: 'database', close: store.close },
  ]
  const finish = createFinish(steps, { log, store })
  process.once('SIGTERM', () => void finish())
  process.once('SIGINT', () => void finish())
  stopWhenOutdated(store, jobs, finish)
  printGreeting(config, { origin: server.origin, newToken })
}

async function bind(
  directory: Directory,
  { host, port }: Config,
  onFull: (maxConnections: number) => void,
): Promise<Listening> {
  try {
    return await listen(directory, { host, port, onFull })
  } catch (error) {
    if (Object(error).code === 'EADDRINUSE') {
      return stop(`port ${port} of ${host} is in use; set PORT to another port`)
    }
    return stop(`cannot listen on port ${port} of ${host}: ${reasonOf(error)}`)
  }
}

/** Creates the jobs of every process, without starting them. */
function createJobs(store: Store, directory: Directory, { requestLog, changes }: Config): Job[] {
  const now = () => expressible(Date.now())
  return [
    createTenantDeletion({ store, now }),
    createRecordingDeletion({ store, now, days: requestLog.days }),
    createChangeDeletion({ store, now, ...changes }),
    createSurvey({ store, now, ...directory.survey }),
    createDeliveryJob({ store, now, ...directory.delivery }),
    createFenceWatch(store),
  ]
}

/** Creates the function that stops the server, once. A second signal ends the process immediately. */
function createFinish(
  steps: readonly ShutdownStep[],
  { log, store }: { readonly log: LogOutput; readonly store: Store },
): () => Promise<void> {
  let isStopping = false
  return async () => {
    if (isStopping) return
    isStopping = true
    await shutDown(steps, {
      limit: GRACE + CLOSING,
      failed: (part, error) => log(processEntry(`cannot close: ${part}`, { error })),
      giveUp: (hanging) => {
        log(processEntry('stopped early', { hanging: withJobs(hanging, store.jobs.read()) }))
        process.exit(1)
      },
    })
  }
}

/** Prints the addresses and a new token. By default, a terminal gets text, and any other output a log entry. */
function printGreeting(
  { database, token, tokenFile, greeting: wanted }: Config,
  { origin, newToken }: Pick<Greeting, 'origin' | 'newToken'>,
): void {
  const isTokenSet = token !== null
  const isService = isInJournal(process.env)
  const greeting = { origin, database, newToken, isTokenSet, tokenFile, isService }
  const form = wanted ?? (process.stdout.isTTY ? 'text' : 'json')
  console.log(form === 'text' ? greet(greeting) : greetAsEntry(greeting, expressible(Date.now())))
}

/** How long (ms) a stopping server waits for jobs, its log and its database after the open requests. */
const CLOSING = 5_000
