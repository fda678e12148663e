import { DEFAULT_TENANT } from '../kernel/access/tenant-store.ts'
import type { CommandOption } from './options.ts'

/** The variable with the source server's token. */
export const TOKEN_VARIABLE = 'IMPORT_TOKEN'

/** The options for every import. */
const IMPORT_OPTIONS: readonly CommandOption[] = [
  { name: '--tenant', value: 'id', meaning: `the tenant, ${DEFAULT_TENANT} by default` },
  { name: '--dry-run', value: null, meaning: 'check all rows, and write nothing' },
]

/** The options for a file import. */
export const FILE_OPTIONS: readonly CommandOption[] = [
  ...IMPORT_OPTIONS,
  {
    name: '--mapping',
    value: 'file',
    meaning: 'the columns of a CSV file of users or of memberships, in JSON',
  },
]

/** The options for a server import. */
export const SERVER_OPTIONS: readonly CommandOption[] = [
  ...IMPORT_OPTIONS,
  { name: '--token', value: 'token', meaning: `its bearer token; better in ${TOKEN_VARIABLE}` },
  { name: '--token-file', value: 'file', meaning: 'a file that contains the token' },
]
