import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application, ReflectionKind, type TypeDocOptions } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { root } from '../../scripts/run.ts'

/** The published packages' entry files, with the names programs import. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  globSync('packages/{result,problem,openapi,contract,scim,doctor}/src/*.ts', { cwd: root })
    .filter((file) => !/\.test(-d)?\.ts$|\/internal\.ts$/.test(file))
    .sort()
    .map((file) => [file, nameOf(file)]),
)

/** Returns an entry point's page, such as `reference/scim/sql.md`. It shares a folder with its namespaces' pages. */
export function referencePage(file: string): string {
  const path = `reference/${nameOf(file).replace('@plumbline/', '')}`
  const hasNamespaces = /^export type \* as /m.test(readFileSync(join(root, file), 'utf8'))
  return `${path}${hasNamespaces ? '/index' : ''}.md`
}

/** Writes a page for each entry point, from its TSDoc. */
export async function writeReference(folder: string): Promise<void> {
  const options: TypeDocOptions & Partial<PluginOptions> = {
    outputs: [{ name: 'markdown', path: folder }],
    entryPoints: [...ENTRIES.keys()].map((file) => join(root, file)),
    tsconfig: join(root, 'docs/tsconfig.reference.json'),
    plugin: ['typedoc-plugin-markdown'],
    router: 'module',
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    // `npm run check` checks the types, with another TypeScript version.
    skipErrorChecking: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    expandObjects: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    enumMembersFormat: 'table',
    sanitizeComments: true,
    useCodeBlocks: true,
    entryFileName: 'index',
    excludeScopesInPaths: true,
    logLevel: 'Warn',
  }
  const app = await Application.bootstrapWithPlugins(options)
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc cannot read the entry points')
  // TypeDoc names a module by its file, such as `scim/src/filter`.
  for (const module of project.children ?? [])
    module.name = nameOf(
      `packages/${module.name.endsWith('/src') ? `${module.name}/index` : module.name}.ts`,
    )
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    // A parameter destructured by the function.
    if (parameter.name === '__namedParameters') parameter.name = 'options'
  }
  await app.generateOutputs(project)
}

/** Returns the entry `@plumbline/scim/filter` for the file `packages/scim/src/filter.ts`. */
function nameOf(file: string): string {
  const [, name = '', entry = 'index'] =
    /^packages\/(\w+)\/src(?:\/([\w-]+))?\.ts$/.exec(file) ?? []
  return `@plumbline/${name}/${entry}`.replace(/\/index$/, '')
}
