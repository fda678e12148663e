import { withAt } from '../json.ts'
import type { Vocabulary } from '../model/vocabulary.ts'
import type { PatchRow, UserValues } from './patch-row.ts'

/** Renames a row's attributes and list element types to the names a server declares. */
export interface Renaming {
  /** Renames the attributes in a path or in a filter. */
  path(text: string): string
  /** Renames the keys of values, which become paths, and the types of elements. */
  values(values: UserValues): UserValues
}

/** Creates the renaming for a server's users. */
export function renamingOf({ text, optional, complex, list }: Vocabulary): Renaming {
  const [first, second] = complex?.parts ?? []
  const paths = new Map(
    Object.entries({
      displayName: text,
      title: optional,
      name: complex?.path,
      'name.givenName': complex && `${complex.path}.${first}`,
      'name.familyName': complex && `${complex.path}.${second}`,
      emails: list?.path,
    }),
  )
  const kinds = new Map(KINDS.map((kind, at) => [kind, list?.kinds[at] ?? kind]))
  const rename = (path: string): string => {
    const [top = '', ...rest] = path.split('.')
    return paths.get(path) ?? [paths.get(top) ?? top, ...rest].join('.')
  }
  const element = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(element)
    const { type } = Object(value)
    return typeof type === 'string' ? { ...Object(value), type: kinds.get(type) ?? type } : value
  }
  const parts = (path: string, value: unknown): unknown => {
    if (path !== 'name') return element(value)
    const names = Object.entries(Object(value)).map(([part, one]) => {
      return [rename(`name.${part}`).split('.').at(-1) ?? part, one]
    })
    return Object.fromEntries(names)
  }
  return {
    path: (source) => {
      return source.replaceAll(TOKENS, (token) => {
        if (!token.startsWith('"')) return token.startsWith('urn:') ? token : rename(token)
        const kind = kinds.get(token.slice(1, -1))
        return kind === undefined ? token : JSON.stringify(kind)
      })
    },
    values: (values) =>
      Object.fromEntries(
        Object.entries(values).map(([path, value]) => [
          path.startsWith('urn:') ? path : rename(path),
          parts(path, value),
        ]),
      ),
  }
}

/** Renames a row for a server. Values have paths as keys. */
export function renamed(row: PatchRow, renaming: Renaming): PatchRow {
  const { before, path, value, after } = row
  return {
    ...row,
    before: (tag) => renaming.values(before(tag)),
    path: path && ((tag) => renaming.path(path(tag))),
    value: (tag) => renamedValue(renaming, path?.(tag) ?? null, value(tag)),
    after: (tag) => renaming.values(after(tag)),
  }
}

/** Renames an operation's value: for the attribute at the path, or members without a path. */
function renamedValue(renaming: Renaming, path: string | null, value: unknown): unknown {
  if (value === undefined) return undefined
  if (path === null) return withAt({}, renaming.values(Object(value)))
  const top = /^\w+(?=$|\[)/.exec(path)?.[0] ?? ''
  return Object.values(renaming.values({ [top]: value }))[0]
}

/** The types of elements in rows. */
const KINDS: readonly string[] = ['work', 'home', 'other']

/** A quoted text, or a name with its parts or its URN. */
const TOKENS = /"(?:[^"\\]|\\.)*"|urn:[\w.:]+|[A-Za-z$][\w$.]*/g
