/** Who may import whom, for dependency-cruiser. Type-only imports count, tests don't. */

/** The packages of this repository that each package may import. Its own manifest limits those of others. */
const packages = {
  result: [],
  problem: [],
  report: [],
  base: [],
  listener: ['base'],
  openapi: ['base', 'listener', 'problem', 'result'],
  contract: ['base', 'openapi', 'problem', 'report', 'result'],
  scim: ['base', 'listener', 'result'],
  doctor: ['report', 'result', 'scim'],
}

/** The files that may import built-in modules of Node. All other code of a package runs everywhere. */
const needsNode = '^packages/(listener/src|contract/src/node|doctor/src/cli)/'

/** Packages that only their own entry may import, because they are optional or only for a command. */
const onlyIn = {
  zod: '^packages/problem/src/(zod|zod-mini|lib/issues-zod|lib/zod-mini)[.]ts$',
  '@remix-run/data-table': '^packages/scim/src/(lib/)?data-table[./]',
  'fast-check': '^packages/contract/src/lib/generate/',
  picocolors: '^packages/doctor/src/cli/',
}

/**
 * The folders and files of each source folder, from low to high. A file imports only from its own entry and from
 * entries before it. A new folder or file needs a place in this list.
 */
const floors = {
  'packages/openapi/src/lib': `
    openapi.ts constants.ts address.ts sentence.ts text schema spec routing http stream request operation.ts document
    check serve server client webhook`,
  'packages/contract/src/lib': `
    report.ts total-members.ts source.ts own members record coverage live generate`,
  'packages/scim/src/lib': `
    constants.ts json.ts sha256.ts error.ts unique-violation.ts rejection.ts work-budget.ts values path schema discovery filter predicate data-table
    model.ts message resource patch bulk list endpoint memory access sql`,
  'packages/scim/src/lib/endpoint': `
    options core read changes write
    failures.ts options.ts addresses.ts respond.ts documents.ts me.ts bulk.ts prepare.ts routes.ts
    answer-request.ts endpoint.ts`,
  'packages/doctor/src/lib': `
    json.ts option-faults.ts examination-error.ts version.ts http target.ts model rows toolkit discover.ts access.ts clean.ts features.ts check.ts profiles profiles.ts rules.ts patching.ts checks checks.ts
    address.ts plan.ts group-by.ts report.ts areas.ts waive.ts run-check.ts create-context.ts examine.ts replay summary.ts verdict.ts compare.ts format format-report.ts
    contract`,
  'apps/directory/src/kernel': `
    version.ts typed-commands.ts clock.ts durations.ts ids.ts counts.ts memoize.ts mask-tokens.ts hide-secrets.ts profiles.ts
    jobs store limits.ts sockets rate-limit resources access requests`,
  'apps/directory/src/kernel/store': `
    database.ts tenant-rows.ts tables.ts store.ts analyze.ts driver-errors.ts sha256.ts chunks.ts find-matches.ts column-text.ts sizes.ts
    cursor.ts history.ts leases.ts buckets.ts migrations engines open.ts faults.ts within.ts restore.ts`,
}

/** The features of the directory, and the other features that each of them may import. */
const features = {
  changes: [],
  connections: ['changes'],
  imports: ['scim'],
  log: [],
  metrics: ['changes', 'webhooks'],
  oauth: [],
  recordings: ['log'],
  schemas: ['scim'],
  scim: ['changes', 'connections'],
  'setup-links': ['log'],
  tenants: ['changes', 'connections'],
  tokens: [],
  webhooks: ['changes'],
}

const UNDECLARED = ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown']
const source = '^packages/[^/]+/src/'

export default {
  forbidden: [
    rule('no-circle', 'Files import each other in a circle.', {}, { circular: true }),
    rule('resolved', 'The import leads nowhere.', { path: source }, { couldNotResolve: true }),
    rule(
      'declared',
      'The package is not a dependency of its importer.',
      { path: source },
      {
        path: '^(?!packages/(report|base|listener)/)',
        dependencyTypes: UNDECLARED,
        dependencyTypesNot: ['npm', 'npm-peer'],
      },
    ),
    rule(
      'web-standard',
      'Libraries run without Node.',
      { path: source, pathNot: needsNode },
      { dependencyTypes: ['core'] },
    ),
    ...Object.entries(packages).map(([name, others]) =>
      rule(
        `package-${name}`,
        `${name} may import ${others.join(', ') || 'no other package'}.`,
        { path: `^packages/${name}/src/` },
        { path: '^(packages|apps|bench|examples)/', pathNot: anyOf([name, ...others]) },
      ),
    ),
    rule(
      'internal-entry-openapi',
      'Only contract may import what openapi exports for it.',
      { path: '^(packages|apps|examples|bench)/', pathNot: '^packages/(contract|openapi)/' },
      { path: '^packages/openapi/src/internal[.]ts$' },
    ),
    rule(
      'internal-entry-scim',
      'Only the directory may import what scim exports for it.',
      {
        path: '^(packages|apps|examples|bench)/',
        pathNot: '^(apps/directory|bench|packages/scim)/',
      },
      { path: '^packages/scim/src/internal[.]ts$' },
    ),
    ...Object.entries(onlyIn).map(([name, path]) =>
      rule(
        `only-${name}`,
        `Only ${path} may import ${name}.`,
        { path: source, pathNot: path },
        { path: `node_modules/${name}/` },
      ),
    ),
    ...Object.entries(floors).flatMap(([folder, names]) => floorRules(folder, listOf(names))),
    ...directoryRules(),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.](test|test-d|cases)[.]ts$|/(test|dist)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@plumbline/source', 'import', 'default'],
    },
  },
}

/**
 * The rooms of the directory, from low to high: the kernel, the frames of the API and the console in `shell/api` and
 * `shell/console`, the features, the rest of the shell, and what starts it.
 */
function directoryRules() {
  const src = '^apps/directory/src/'
  const frames = `${src}shell/(api|console)/`
  const assembled = `${src}shell/(?!(api|console)/)`
  // What a handler answers, and the client of a page, have the type of the whole API.
  const operations = `${src}shell/operations[.]ts$`
  const start = `${src}(app[.]ts|server[.]ts|commands/|main[.]ts|start[.]js)`
  const below = (path, to) => [
    rule('room', 'A file imports only from its own room and from lower ones.', path, { path: to }),
  ]
  return [
    // The list of migrations has those of the features.
    ...below(
      { path: `${src}kernel/`, pathNot: '/migrations/migrations[.]ts$' },
      `${src}(features|shell)/|${start}`,
    ),
    ...below({ path: frames }, `${src}features/|${start}`),
    ...below({ path: `${src}shell/` }, start),
    ...below({ path: `${src}features/` }, start),
    rule(
      'room-types',
      'Only types of the assembled shell may be imported, and only those of the API.',
      { path: `${frames}|${src}features/` },
      { path: assembled, pathNot: operations },
    ),
    rule(
      'room-values',
      'Only the types of the whole API may be imported.',
      { path: `${frames}|${src}features/` },
      { path: operations, dependencyTypesNot: ['type-only'] },
    ),
    ...Object.entries(features).map(([name, others]) =>
      rule(
        `feature-${name}`,
        `${name} may import ${others.join(', ') || 'no other feature'}.`,
        { path: `${src}features/${name}/` },
        { path: `${src}features/`, pathNot: `${src}features/(${[name, ...others].join('|')})/` },
      ),
    ),
    rule(
      'features',
      'The feature needs a place in .dependency-cruiser.mjs.',
      { path: `${src}features/`, pathNot: `${src}features/(${Object.keys(features).join('|')})/` },
      {},
    ),
    rule(
      'rooms',
      'A file of the directory belongs to the kernel, a feature, the shell or a command.',
      { path: src, pathNot: `${src}(kernel|features|shell)/|${start}` },
      {},
    ),
  ]
}

function floorRules(folder, order) {
  const within = (names) =>
    `^${folder}/(${names.map((name) => name.replace('.', '[.]')).join('|')})(/|$)`
  const above = order
    .slice(0, -1)
    .map((name, at) =>
      rule(
        `floor-${folder}/${name}`,
        'A file imports only from its own floor and from lower ones.',
        { path: within([name]) },
        { path: within(order.slice(at + 1)) },
      ),
    )
  const unknown = rule(
    `floor-of-${folder}`,
    'The file needs a place in .dependency-cruiser.mjs.',
    { path: `^${folder}/`, pathNot: within(order) },
    {},
  )
  return [...above, unknown]
}

function rule(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}

function anyOf(names) {
  return `^packages/(${names.join('|')})/`
}

function listOf(names) {
  return names.trim().split(/\s+/)
}
