import { isFailure } from '@plumbline/result'
import { createDirectory } from './app.ts'
import { type Config, readConfig, VARIABLES } from './config.ts'
import { logLines } from './log.ts'
import { SCIM_PATH } from './scim/endpoint.ts'
import { type Listening, listen } from './server.ts'
import { makeToken, type Opened, openDirectory } from './start.ts'

async function main(options: readonly string[]): Promise<void> {
  if (options.includes('--help')) {
    console.log(HELP)
    return
  }
  const unknown = options.find((option) => option !== '--token')
  if (unknown !== undefined) stop(`there is no option ${unknown}; npm start -- --help lists them`)
  const config = readConfig(process.env)
  if (isFailure(config)) stop(config.error.message)
  const opened = await open(config.data)
  if (options.includes('--token')) {
    console.log(await makeToken(opened.store, Date.now()))
    await opened.store.close()
    return
  }
  await serve(config.data, opened)
}

async function serve(config: Config, { store, token }: Opened): Promise<void> {
  const directory = createDirectory({ store, token: config.token, log: logLines })
  const server = await bind(directory, config)
  console.log(greeting(server.origin, token, config.token !== null))
  let stopping = false
  const finish = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await server.stop()
    await store.close()
  }
  process.once('SIGTERM', () => void finish())
  process.once('SIGINT', () => void finish())
}

async function open(config: Config): Promise<Opened> {
  try {
    return await openDirectory(config, Date.now())
  } catch (error) {
    return stop(`the database cannot be opened: ${reasonOf(error)}`)
  }
}

async function bind(
  directory: ReturnType<typeof createDirectory>,
  { host, port }: Config,
): Promise<Listening> {
  try {
    return await listen(directory, { host, port })
  } catch (error) {
    const { code } = Object(error)
    const why = code === 'EADDRINUSE' ? 'is in use; set PORT to another' : reasonOf(error)
    return stop(`the port ${port} of ${host} ${why}`)
  }
}

/** What to do next, with a line to paste. A token of the environment is named, and not shown. */
function greeting(origin: string, made: string | null, isSet: boolean): string {
  const about =
    made !== null
      ? `${made}   (shown this once: only its hash is kept)`
      : isSet
        ? 'that of DIRECTORY_TOKEN'
        : 'the one that was shown before; npm start -- --token makes another'
  const bearer = made !== null ? `'Authorization: Bearer ${made}'` : BEARER[isSet ? 'set' : 'known']
  return `
Plumbline Directory, a SCIM 2.0 server

SCIM       ${origin}${SCIM_PATH}
Document   ${origin}/openapi.json
Token      ${about}

Try it:

curl -H ${bearer} '${origin}${SCIM_PATH}/Users?count=10'
`
}

const BEARER = {
  set: '"Authorization: Bearer $DIRECTORY_TOKEN"',
  known: "'Authorization: Bearer <token>'",
}

/** One clear line, and exit code 1. */
function stop(why: string): never {
  console.error(`The directory cannot start: ${why}`)
  process.exit(1)
}

function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  const text = at instanceof Error ? at.message || String(Object(at).code ?? at.name) : String(at)
  return text.split('\n')[0] ?? text
}

const HELP = `
npm start                  run the directory server
npm start -- --token       make another administrator's token, and print it
npm start -- --help        print this

Variables of the environment, none of which has to be set:

${VARIABLES.map(([name, byDefault, meaning]) => `${name.padEnd(17)}${meaning}\n${' '.repeat(17)}default: ${byDefault}`).join('\n')}
`

await main(process.argv.slice(2))
