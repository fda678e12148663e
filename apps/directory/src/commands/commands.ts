import { rotateEventKeys } from '../features/changes/event-key-store.ts'
import { LAYOUT } from '../features/tenants/tables.ts'
import { expressible } from '../kernel/clock.ts'
import { SCIM_PATH } from '../kernel/requests/scim-path.ts'
import { engineFor, openStore } from '../kernel/store/open.ts'
import { renameRestored } from '../kernel/store/restore.ts'
import type { Config } from './config.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { exportResources } from './export.ts'
import { FILE_OPTIONS, SERVER_OPTIONS } from './import-options.ts'
import type { CommandOption, GivenOptions } from './options.ts'
import { makeToken } from './seed/bootstrap.ts'

/** A command for `npm start --`, which exits without serving. */
export interface Command {
  /** The option that selects it. */
  readonly name: string
  /** The value's name in the help; null without one. */
  readonly value: string | null
  readonly meaning: string
  /** The command's own options; none by default. */
  readonly options?: readonly CommandOption[]
  run(config: Config, value: string, given: GivenOptions): Promise<void>
}

/** The commands, as `npm start -- --help` lists them. */
export const COMMANDS: readonly Command[] = [
  {
    name: '--token',
    value: null,
    meaning: "create and print another administrator's token",
    run: printToken,
  },
  {
    name: '--backup',
    value: 'file',
    meaning: 'copy the SQLite database into a new file, also while the server runs',
    run: backUp,
  },
  {
    name: '--export',
    value: 'tenant',
    meaning: 'print the users and groups of a tenant as lines of JSON',
    run: printResources,
  },
  {
    name: '--import',
    value: 'file',
    meaning: 'import the lines of an export, or a CSV file, into a tenant',
    options: FILE_OPTIONS,
    run: async (...given) => await (await importing()).importFile(...given),
  },
  {
    name: '--from',
    value: 'url',
    meaning: 'import the users and groups of a running SCIM server into a tenant',
    options: SERVER_OPTIONS,
    run: async (...given) => await (await importing()).importServer(...given),
  },
  {
    name: '--pending',
    value: null,
    meaning: 'list the migrations that this version needs, and change nothing',
    run: listPending,
  },
  {
    name: '--migrate',
    value: null,
    meaning: 'migrate the database without starting the server',
    run: migrateDatabase,
  },
  {
    name: '--rotate-event-keys',
    value: null,
    meaning: 'replace the key that signs Security Event Tokens, also while the server runs',
    options: [
      {
        name: '--revoke',
        value: null,
        meaning: 'reject the old keys immediately, such as after a leak',
      },
    ],
    run: rotateKeys,
  },
  {
    name: '--restored',
    value: null,
    meaning: 'tell a database that it was restored, before the first server starts on it',
    run: renameAll,
  },
  {
    name: '--distribute',
    value: null,
    meaning: 'distribute the PostgreSQL tables over the nodes of Citus',
    run: distributeTables,
  },
]

/** Loads the import, which no other command needs. */
const importing = () => import('./import.ts')

async function printToken(config: Config): Promise<void> {
  const store = await attempt(config, () => openStore(config.database, LAYOUT))
  console.log(await attempt(config, () => makeToken(store, expressible(Date.now()))))
  await store.close()
}

async function backUp({ database }: Config, file: string): Promise<void> {
  const copy = engineFor(database).backup
  if (copy === null) return stop('use pg_dump for PostgreSQL', 'be backed up')
  try {
    await copy(database, file)
  } catch (error) {
    stop(reasonOf(error), 'be backed up')
  }
  console.log(`The backup is in ${file}.`)
}

async function printResources(config: Config, tenantId: string): Promise<void> {
  const store = await attempt(config, () => openStore(config.database, LAYOUT), 'be exported')
  const base = `${config.publicOrigin ?? `http://${config.host}:${config.port}`}${SCIM_PATH}`
  const now = () => expressible(Date.now())
  // The reader may close the pipe, as `head` does.
  process.stdout.on('error', () => process.exit(0))
  const options = { store, tenantId, base, now, write: writeLines }
  const count = await attempt(config, () => exportResources(options), 'be exported')
  await store.close()
  if (count === null) stop(`tenant ${tenantId} not found`, 'be exported')
}

/** Waits for the reader, so a slow one does not fill the memory. */
function writeLines(lines: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(lines)) resolve()
    else process.stdout.once('drain', resolve)
  })
}

async function listPending(config: Config): Promise<void> {
  const { database } = config
  const names = await attempt(config, () => engineFor(database).pending(database), 'be migrated')
  if (names.length === 0) console.log('No migration is necessary.')
  for (const name of names) console.log(name)
}

async function migrateDatabase(config: Config): Promise<void> {
  const { database } = config
  const { pending, migrate } = engineFor(database)
  const names = await attempt(config, () => pending(database), 'be migrated')
  await attempt(config, () => migrate(database), 'be migrated')
  console.log(names.length === 0 ? 'No migration was necessary.' : `Migrated: ${names.join(', ')}`)
}

async function rotateKeys(config: Config, _: string, given: GivenOptions): Promise<void> {
  const store = await attempt(config, () => openStore(config.database, LAYOUT), 'rotate its keys')
  const rotation = { now: expressible(Date.now()), isRevoked: given.has('--revoke') }
  const rotate = () => store.write((db) => rotateEventKeys(db, rotation))
  const { kid, from = 0 } = await attempt(config, rotate, 'rotate its keys')
  await store.close()
  const old = rotation.isRevoked ? 'deleted' : 'published for a week after that'
  console.log(`The key ${kid} signs from ${new Date(from).toISOString()}. The old keys are ${old}.`)
  console.log('Running servers read the keys again within a minute.')
}

async function renameAll({ database, ...config }: Config): Promise<void> {
  const given = { ...config, database }
  const store = await attempt(given, () => openStore(database, LAYOUT), 'be renamed')
  await attempt(given, () => store.write(renameRestored), 'be renamed')
  const history = await engineFor(database).history(database)
  await attempt(given, () => history.restart(store), 'be renamed')
  await store.close()
  console.log('Cursors and message ids of the changes are new. Consumers make a new copy.')
}

async function distributeTables(config: Config): Promise<void> {
  const { database } = config
  const { distribute, migrate } = engineFor(database)
  if (distribute === null) {
    return stop('only PostgreSQL with Citus can distribute its tables', 'be distributed')
  }
  await attempt(config, () => migrate(database), 'be distributed')
  const statements = await attempt(config, () => distribute(database, LAYOUT), 'be distributed')
  if (statements.length === 0) console.log('The database is already distributed.')
  for (const statement of statements) console.log(`${statement};`)
}
