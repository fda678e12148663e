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
  openapi: {
    ...library('openapi'),
    near: {
      'packages/openapi/src/lib/schema/': [
        'packages/openapi/src/lib/document/',
        'packages/openapi/src/lib/request/',
      ],
    },
  },
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
      quick:
        names(`client-management column-text cursors engines extensions fault-codes filter-conditions filters
        group-sizes json-store lists locks look-ups members memberships narrow-by-value pages plan-query reads
        rows scheduling schema slots sqlite sqlite-engine statements store-files store-units tokens unicode
        value-keys`),
      slow: names('faults loading management migrations plans scans sqlite-file sqlite-large'),
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
    quick:
      names(`auth bulk client-limits discovery extension-masking extensions hang-up lists log-entries look-ups
      management members oauth origin outbox profiles rate-limit reads replay request-id requests scim-access scim-faults
      sqlite subjects tenant-paths write-with-schemas`),
    slow: names('faults sqlite-large'),
  }),
  'directory/api': app(['api/**/*.ts'], {
    quick:
      names(`client-management console-* document extension-faults extensions log-entries management
      management-answers management-faults metrics oauth rate-limit requests sqlite tenant-paths
      token-management token-request`),
    slow: names('authentication faults origin profiles'),
  }),
  'directory/auth': app(['{admission,app,auth,token-cache,tenant-schemas,sessions}.ts'], {
    quick:
      names(`auth authentication client-limits console console-pages document extensions log-entries
      management management-answers management-faults oauth rate-limit request-id requests sessions
      sqlite tenant-paths token-cache token-request tokens`),
    slow: names('discovery faults origin outbox profiles sockets'),
  }),
  'directory/console': app(['console/**/*.ts'], {
    quick: names('console console-*'),
    slow: [],
  }),
  'directory/log': app(['{metrics,oauth,provisioning,rate-limit,recordings}/**/*.ts'], {
    quick: names(`client-limits console-recordings console-requests extension-masking extensions
      log-entries log-rows masking oauth rate-limit recording-runs replay requests sqlite token-request`),
    slow: names('metrics provisioning-*'),
  }),
}

function library(name: string): Area {
  const folder = `packages/${name}`
  return {
    sources: [`${folder}/src/**/*.ts`],
    // The test of the merged coverage only runs other processes, in which mutants are not active.
    tests: [`${folder}/**/!(*.servers|contract-coverage).test.ts`],
    slow: [
      '**/*.{property,large}.test.ts',
      '**/test/{client-size,clients,compile-errors}.test.ts',
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

/** The names in a text, which spaces divide. */
function names(text: string): readonly string[] {
  return text.split(/\s+/)
}
