import { isFailure } from '@plumbline/result'
import { createDirectory, type Directory } from './app.ts'
import { expressible } from './clock.ts'
import { COMMANDS } from './commands/commands.ts'
import { attempt, reasonOf, stop } from './commands/exit.ts'
import { greet, isInJournal } from './commands/greeting.ts'
import { type Config, readConfig, VARIABLES } from './config/config.ts'
import { createProvisioningLog } from './provisioning/provisioning-log.ts'
import { createClientLimits } from './rate-limit/client-limits.ts'
import { createRecorder } from './recordings/recorder.ts'
import { createRecordingDeletion } from './recordings/recording-deletion.ts'
import { createLog } from './request-log.ts'
import { prepare } from './seed/bootstrap.ts'
import { type Listening, listen } from './server.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'
import { createTenantDeletion } from './tenants/deletion.ts'
import { LAYOUT } from './tenants/tables.ts'

async function main(options: readonly string[]): Promise<void> {
  if (options.includes('--help')) {
    console.log(HELP)
    return
  }
  const command = findCommand(options)
  const config = readConfig(process.env)
  if (isFailure(config)) stop(config.error.message)
  if (command !== null) return await command(config.data)
  await serve(
    config.data,
    await attempt(config.data, () => openStore(config.data.database, LAYOUT)),
  )
}

/** The command among the options; null to serve. */
function findCommand([option, ...values]: readonly string[]) {
  if (option === undefined) return null
  const command = COMMANDS.find(({ name }) => name === option)
  const [value = '', more] = command?.value == null ? ['', ...values] : values
  if (command === undefined || more !== undefined) {
    const unknown = command === undefined ? option : more
    return stop(`unknown option ${unknown}; npm start -- --help lists the options`)
  }
  if (command.value !== null && value === '') return stop(`${option} needs a ${command.value}`)
  return (config: Config) => command.run(config, value)
}

async function serve(config: Config, store: Store): Promise<void> {
  const ready = () =>
    attempt(config, () =>
      prepare(store, { token: config.token, hasDemo: true }, expressible(Date.now())),
    )
  // A client that has DIRECTORY_TOKEN may send requests as soon as the server listens. Otherwise the
  // token is created after the port is bound: a token that is not printed would be lost.
  if (config.token !== null) await ready()
  const { token, publicOrigin } = config
  const log = createLog((lines) => process.stdout.write(lines))
  process.once('exit', log.flush)
  // The log's reader may close the pipe, or its disk may be full.
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
    isProcess: true,
  })
  const server = await bind(directory, config)
  const now = () => expressible(Date.now())
  const { days } = config.requestLog
  const jobs = [createTenantDeletion({ store, now }), createRecordingDeletion({ store, now, days })]
  for (const job of jobs) job.start()
  const newToken = config.token === null ? await ready() : null
  let stopping = false
  const finish = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await server.stop()
    for (const job of jobs) await job.close()
    await recorder.flush()
    await provisioning?.close()
    await store.close()
  }
  process.once('SIGTERM', () => void finish())
  process.once('SIGINT', () => void finish())
  const { database, tokenFile } = config
  const isTokenSet = token !== null
  const isService = isInJournal(process.env)
  const { origin } = server
  console.log(greet({ origin, database, newToken, isTokenSet, tokenFile, isService }))
}

async function bind(directory: Directory, { host, port }: Config): Promise<Listening> {
  try {
    return await listen(directory, { host, port })
  } catch (error) {
    if (Object(error).code === 'EADDRINUSE') {
      return stop(`port ${port} of ${host} is in use; set PORT to another port`)
    }
    return stop(`cannot listen on port ${port} of ${host}: ${reasonOf(error)}`)
  }
}

const HELP = `
${[
  ['npm start', 'start the directory server'],
  ...COMMANDS.map(({ name, value, meaning }) => [
    `npm start -- ${name}${value === null ? '' : ` <${value}>`}`,
    meaning,
  ]),
  ['npm start -- --help', 'print this help'],
  ['npm run seed -- --help', 'show how to fill the database with sample users and groups'],
]
  .map(([command = '', meaning]) => `${command.padEnd(33)}${meaning}`)
  .join('\n')}

Environment variables, all optional:

${VARIABLES.map(([name, byDefault, meaning]) => `${name.padEnd(22)}${meaning}\n${' '.repeat(22)}default: ${byDefault}`).join('\n')}
`

await main(process.argv.slice(2))
