import { fold } from '@plumbline/scim'
import type { ResourceType } from '../../../kernel/resources/resource-type.ts'
import { time } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { type Resource, stringOf } from '../../../shell/console/search-resources.ts'

/** The content for a resource type's pages. */
export interface TypeView {
  /** The attribute that names a resource. Lists without a search are sorted by it. */
  readonly name: string
  /** Attributes to search by; the first one is the default. */
  readonly fields: readonly SearchField[]
  readonly columns: readonly {
    readonly title: string
    /** The attribute shown in the cell. */
    readonly attribute: string
    readonly cell: (resource: Resource, now: number) => Part
  }[]
  /** An attribute that may be large, omitted on a resource's page; none by default. */
  readonly large?: string
  /** Shows a resource's state before its id. */
  readonly badgeOf?: (resource: Resource) => Html
  /** Shows other resources after a resource's JSON. */
  readonly related?: (
    context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
  ) => Promise<Html>
}

/** An attribute for searching resources. */
export interface SearchField {
  readonly key: string
  readonly label: string
  /** Returns the filter for a quoted value. */
  readonly filter: (quoted: string) => string
  /** Whether the database returns matches quickly in list order. */
  readonly isSorted?: boolean
}

/** Returns the view for a type without a view of its own: the indexed single-valued strings in the core schema. */
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

/** Returns a field that searches for one exact value. */
export function isField(name: string): SearchField {
  return { key: name, label: `${name} is`, filter: (value) => `${name} eq ${value}` }
}

/** Returns a column for a string attribute. */
export function textColumn(attribute: string): TypeView['columns'][number] {
  return { title: attribute, attribute, cell: (resource) => stringOf(resource[attribute]) }
}

/** The column for the last change. */
export const LAST_CHANGE: TypeView['columns'][number] = {
  title: 'Last change',
  attribute: 'meta.lastModified',
  cell: ({ meta }, now) => {
    const { lastModified: text }: Resource = Object(meta)
    return time(typeof text === 'string' ? text : null, now)
  },
}
