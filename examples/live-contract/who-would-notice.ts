/** Joins the changes that `@redocly/cli diff` rates with the report of production, by their pointers. */

import type { ContractReport } from '@plumbline/contract'
import type { OpenAPI } from '@plumbline/openapi'

/** The parts of the JSON of `redocly diff --format json` that are read. */
export interface Diff {
  readonly changes: readonly {
    readonly path: string
    readonly impact: string
    readonly property?: string
    readonly base?: { readonly value?: unknown }
    readonly revision?: { readonly value?: unknown }
    readonly verdicts: readonly { readonly message: string }[]
  }[]
}

/** Lists the breaking changes, each with the exchanges of production that had the part which changes. */
export function whoWouldNotice(
  { changes }: Diff,
  base: OpenAPI.Document,
  { operations }: ContractReport,
): readonly string[] {
  return changes
    .filter(({ impact }) => impact === 'major')
    .map((change) => {
      const { path, verdicts } = change
      const [, template = '', method, ...rest] = stepsOf(path)
      const changed = operations.filter(
        (one) => one.path === template && one.method === (method?.toUpperCase() ?? one.method),
      )
      const place = placeOf(rest, own(own(base.paths, template), method ?? ''))
      const names = requiredBy(change).map((name) => `${place} /${name}`)
      const isPart = (item: string) =>
        (names.length > 0 ? names : [place]).some(
          (name) => item === name || item.startsWith(`${name} `),
        )
      const parts = changed
        .flatMap(({ items }) => items)
        .filter((item) => item.kind === 'members' && isPart(item.name))
        .map((item) => `${item.name} in ${item.count}`)
      const exchanges = changed.reduce((total, one) => total + one.exchanges, 0)
      const messages = verdicts.map(({ message }) => message).join(' ')
      return `${messages} ${[...parts, `${exchanges} exchanges`].join(', ')}`
    })
}

/** The members that a change makes required. */
function requiredBy({ property, base, revision }: Diff['changes'][number]): readonly unknown[] {
  if (property !== 'required' || !Array.isArray(revision?.value)) return []
  const before: readonly unknown[] = Array.isArray(base?.value) ? base.value : []
  return revision.value.filter((name) => !before.includes(name))
}

/** The name that the report gives to a place of an operation: `200 /note`, `request /title`, `query:view`. */
function placeOf(steps: readonly string[], operation: unknown): string {
  const [part, key = '', ...inner] = steps
  if (part === 'parameters') {
    const parameter = own(own(operation, part), key)
    return `${own(parameter, 'in')}:${own(parameter, 'name')}`
  }
  const isRequest = part === 'requestBody'
  const [field, type = '', , ...schema] = isRequest ? [key, ...inner] : inner
  if (field !== 'content') return ''
  const place = [isRequest ? 'request' : key, type === 'application/json' ? '' : type]
  return [...place, pointerOf(schema)].filter((one) => one !== '').join(' ')
}

function own(value: unknown, name: string): unknown {
  return Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined
}

/** The pointer into a value: `/properties/tags/items` of a schema is `/tags/*`. */
function pointerOf([keyword, name = '', ...rest]: readonly string[]): string {
  if (keyword === 'properties')
    return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${pointerOf(rest)}`
  if (keyword === 'items' || keyword === 'additionalProperties')
    return `/*${pointerOf([name, ...rest])}`
  return keyword === undefined ? '' : pointerOf(rest)
}

function stepsOf(pointer: string): readonly string[] {
  const steps = pointer.replace(/^#\//, '').split('/')
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}
