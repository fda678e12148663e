/** An area of `npm run mutate`: the sources that are mutated and the tests that must detect it. */
export interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** The tests that need seconds, as globs: they run only on the mutants that the others do not detect. */
  readonly slow: readonly string[]
  /** Further folders of tests that run first, by the folder of the mutated files. */
  readonly near?: Readonly<Record<string, readonly string[]>>
  /** The environment variable that must contain the URL of the server of the tests; none by default. */
  readonly server?: string
}

export const AREAS: Readonly<Record<string, Area>> = {
  result: library('result'),
  problem: library('problem'),
  openapi: library('openapi'),
  scim: {
    ...library('scim'),
    near: {
      'packages/scim/src/lib/contract/': ['packages/scim/test/store-contract/'],
      'packages/scim/src/lib/predicate/': [
        'packages/scim/src/lib/data-table/',
        'packages/scim/src/lib/sql/',
      ],
      'packages/scim/src/lib/sql/': ['packages/scim/test/sql/'],
    },
  },
  doctor: library('doctor'),
  'directory/store': app(
    [
      'resources/*.ts',
      'store/*.ts',
      'store/{groups,json,list,values}/*.ts',
      'store/engines/*.ts',
      'store/engines/sqlite/!(scan-worker).ts',
    ],
    {
      quick: [
        ...[
          'column-text',
          'cursors',
          'engines',
          'fault-codes',
          'filters',
          'group-sizes',
          'json-store',
          'lists',
          'locks',
          'look-ups',
          'members',
          'memberships',
          'reads',
        ],
        ...[
          'rows',
          'scheduling',
          'schema',
          'slots',
          'sqlite',
          'sqlite-engine',
          'statements',
          'tokens',
          'unicode',
        ],
      ],
      slow: [
        'faults',
        'loading',
        'management',
        'migrations',
        'plans',
        'scans',
        'sqlite-file',
        'sqlite-large',
      ],
    },
  ),
  'directory/postgres': {
    ...app(['store/engines/postgres/*.ts'], {
      quick: [
        ...['distribute', 'distribute.servers', 'fault-codes', 'hang-up.servers'],
        ...['postgres-pools', 'prepared-statements.servers'],
        ...['schema', 'silent.servers', 'time-limits.servers'],
      ],
      slow: ['postgres.servers'],
    }),
    server: 'PLUMBLINE_TEST_POSTGRES_URL',
  },
  // It runs only in threads, so that no coverage is known: the last stage runs every test.
  'directory/scan-worker': app(['store/engines/sqlite/scan-worker.ts'], {
    quick: ['scans', 'sqlite'],
    slow: [],
  }),
  'directory/scim': app(['scim/**/*.ts'], {
    quick: ['discovery', 'look-ups', 'management', 'origin', 'outbox', 'profiles', 'scim-faults'],
    slow: ['faults', 'replay', 'sqlite', 'sqlite-large'],
  }),
  'directory/api': app(['api/**/*.ts'], {
    quick: ['body', 'document', 'management', 'management-faults'],
    slow: ['authentication', 'faults', 'log-entries', 'origin', 'profiles'],
  }),
  'directory/auth': app(['auth.ts', 'app.ts'], {
    quick: ['auth', 'authentication', 'log-entries', 'management', 'management-faults', 'requests'],
    slow: ['discovery', 'faults', 'origin', 'outbox', 'profiles', 'sockets'],
  }),
}

function library(name: string): Area {
  const folder = `packages/${name}`
  return {
    sources: [`${folder}/src/**/*.ts`],
    tests: [`${folder}/**/!(*.servers).test.ts`],
    slow: [
      '**/*.{property,large}.test.ts',
      '**/test/{client-size,clients,compile-errors,contract-coverage}.test.ts',
      '**/test/{processes,proof-*,validators}.test.ts',
      '**/test/sql/store.postgres.test.ts',
    ],
  }
}

/**
 * Names the tests of an area: its whole suite takes minutes. A test that starts a server in a child
 * process is excluded if possible, because mutants are active only in the thread of the test.
 */
function app(
  files: readonly string[],
  { quick, slow }: { quick: readonly string[]; slow: readonly string[] },
): Area {
  const pathOf = (name: string) => `apps/directory/test/${name}.test.ts`
  return {
    sources: files.map((file) => `apps/directory/src/${file}`),
    tests: [...quick, ...slow].map(pathOf),
    slow: slow.map(pathOf),
  }
}
