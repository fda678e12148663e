import { fold } from '@plumbline/scim'
import type { ResourceType } from '../resources/resource-type.ts'
import { time } from './components/text.ts'
import type { ConsoleContext } from './context.ts'
import type { Html, Part } from './html.ts'
import { type Resource, stringOf } from './search-resources.ts'

/** The content of a resource type's pages. */
export interface TypeView {
  /** The attribute that names a resource. Lists without a search are sorted by it. */
  readonly name: string
  /** The attributes to search by; the first one is the default. */
  readonly fields: readonly SearchField[]
  readonly columns: readonly {
    readonly title: string
    /** The attribute the cell shows. */
    readonly attribute: string
    readonly cell: (resource: Resource) => Part
  }[]
  /** An attribute that may be large, which the page of a resource omits; none by default. */
  readonly large?: string
  /** Shows the state of a resource before its id. */
  readonly badgeOf?: (resource: Resource) => Html
  /** Shows other resources after the JSON of a resource. */
  readonly related?: (
    context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
  ) => Promise<Html>
}

/** An attribute that resources are searched by. */
export interface SearchField {
  readonly key: string
  readonly label: string
  /** The filter for a quoted value. */
  readonly filter: (quoted: string) => string
  /** Whether the database returns the matches in the order of the list quickly. */
  readonly isSorted?: boolean
}

/** The view of a type without one of its own: its single strings with an index, from its core schema. */
export function defaultView({
  lookups,
  definitions,
}: Pick<ResourceType, 'lookups' | 'definitions'>): TypeView {
  const [core] = Object.values(definitions)
  const names = (core?.attributes ?? []).flatMap(({ name, type, multiValued }) =>
    type === 'string' && !multiValued && lookups.includes(fold(name)) ? [name] : [],
  )
  return {
    name: names[0] ?? 'id',
    fields: ['id', ...names].map(isField),
    columns: [...(names.length === 0 ? ['id'] : names).map(textColumn), LAST_CHANGE],
  }
}

/** A search for one value of an attribute. */
export function isField(name: string): SearchField {
  return { key: name, label: `${name} is`, filter: (value) => `${name} eq ${value}` }
}

/** A column with an attribute that is a string. */
export function textColumn(attribute: string): TypeView['columns'][number] {
  return { title: attribute, attribute, cell: (resource) => stringOf(resource[attribute]) }
}

/** The column with the time of the last change. */
export const LAST_CHANGE: TypeView['columns'][number] = {
  title: 'Last change',
  attribute: 'meta.lastModified',
  cell: ({ meta }) => {
    const { lastModified: text }: Resource = Object(meta)
    return time(typeof text === 'string' ? text : null)
  },
}
