import type { SqlColumnEntry } from '../../predicate/columns.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { AttributeEntry, ValueTable } from './types.ts'

/** An entry's attribute. */
interface Place {
  /** The path in the map. */
  readonly path: string
  readonly node: AttributeNode
  /** The type in brackets; null for a path without brackets. */
  readonly element: string | null
}

/** Throws a TypeError unless one column can store all values of an attribute, and they can be read again. */
export function requireColumn(place: Place, entry: Exclude<AttributeEntry, ValueTable>): void {
  const { path, node } = place
  const form = formOf(entry)
  requireElement(place, form.column)
  if (form.decode !== undefined && form.encode === undefined) {
    throw new TypeError(`${path} has decode, so it requires encode`)
  }
  if (form.encode !== undefined) {
    if (form.decode !== undefined || node.returned === 'never') return
    throw new TypeError(`${path} is returned, so it requires decode`)
  }
  if (form.type !== 'json') requireType(place, form)
}

/** Throws a TypeError unless an attribute is a list, whose values may have a table. */
export function requireList({ path, node, element }: Place): void {
  const list = node.parent?.multiValued === true ? node.parent : node
  if (list === node && list.multiValued) return
  throw new TypeError(
    list === node || element !== null
      ? `${path} is not a list, so a table cannot store it: map ${exampleIn(node)} to a column`
      : `${path} is in the list ${list.name}: map ${list.name} to the table, and ${node.name} in its columns`,
  )
}

/** Throws a TypeError unless a column in a table of values can store a part of each value. */
export function requirePart(place: Place, entry: SqlColumnEntry): void {
  const { path, node } = place
  const form = formOf(entry)
  const list = node.parent ?? node
  if (form.type === 'json' || form.encode !== undefined || form.decode !== undefined) {
    throw new TypeError(
      `${path} is in a table of values, so it has neither type: 'json' nor encode: map ${list.name} to a column with them`,
    )
  }
  if (node === list || !node.multiValued) requireScalar(place, form)
  else throw new TypeError(`${path} is a list, which a column of a table cannot store`)
}

/** Throws a TypeError for a part of a list without its element, and for an element of what is not a list. */
function requireElement({ path, node, element }: Place, column: string): void {
  const { parent, name } = node
  if (element !== null) {
    if (parent?.multiValued === true) return
    throw new TypeError(`${parent?.name ?? name} is not a list: map ${path.replace(/\[.*\]/, '')}`)
  }
  if (parent?.multiValued !== true) return
  throw new TypeError(
    `${path} is in the list ${parent.name}, so it needs the type of an element: map ${formsOfList(parent, column, name)}`,
  )
}

function requireType(place: Place, form: ColumnForm): void {
  const { path, node } = place
  const { column } = form
  if (node.multiValued) {
    throw new TypeError(
      `${path} is a list, which the column ${column} cannot store: map ${formsOfList(node, column)}`,
    )
  }
  if (node.type === 'complex') {
    throw new TypeError(
      `${path} has sub-attributes, which the column ${column} cannot store: map each, such as ${exampleIn(node)}, or ${asJson(column)}`,
    )
  }
  requireScalar(place, form)
}

/** Throws a TypeError if a column's form contradicts the attribute's type. */
function requireScalar({ path, node }: Place, form: ColumnForm): void {
  const contradiction = contradictionIn(node, form)
  if (contradiction === null) return
  throw new TypeError(
    `${path} has the type ${node.type}, ${contradiction}: map it as '${form.column}', or with encode and decode if the column has values of another form`,
  )
}

function contradictionIn(node: AttributeNode, form: ColumnForm): string | null {
  const { type, format, key, folded, caseExact } = form
  if (type !== undefined && type !== node.type) return `not ${type}`
  if (key !== undefined && !KEYS.has(node.type)) return `so its column does not contain keys`
  if (format !== undefined && type !== 'dateTime') return "so format needs type: 'dateTime'"
  if (folded === true && node.caseExact) return 'and its letter case matters, which folded loses'
  if (folded === true && node.type !== 'string') return 'so folded does not apply'
  if (caseExact !== undefined && !TEXTS.has(node.type)) return 'so caseExact does not apply'
  return null
}

/** The forms that can store a list. */
function formsOfList(list: AttributeNode, column: string, part?: string): string {
  const { name, subAttributes } = list
  const example = part ?? (subAttributes.get('value') ?? [...subAttributes.values()][0])?.name
  // The members of a group have types, too, but each of them many.
  const isByType = subAttributes.has('type') && !subAttributes.has('$ref')
  const inline = isByType && example !== undefined ? `${name}[work].${example}, ` : ''
  return `${inline}${name} to a table of values, or ${name} to ${asJson(column)}`
}

function asJson(column: string): string {
  return `{ column: '${column}', type: 'json' }`
}

/** A path of a column: the attribute itself, or its first sub-attribute. */
function exampleIn({ name, subAttributes }: AttributeNode): string {
  const [first] = subAttributes.values()
  return first === undefined ? name : `${name}.${first.name}`
}

/** The members of every entry for one column. A program in JavaScript may combine them. */
interface ColumnForm {
  readonly column: string
  readonly type?: unknown
  readonly format?: unknown
  readonly key?: unknown
  readonly folded?: unknown
  readonly caseExact?: unknown
  readonly encode?: unknown
  readonly decode?: unknown
}

function formOf(entry: Exclude<AttributeEntry, ValueTable>): ColumnForm {
  return typeof entry === 'string' ? { column: entry } : entry
}

/** Types whose columns may contain keys: strings, as SCIM compares ids. */
const KEYS: ReadonlySet<string> = new Set(['string', 'reference'])
const TEXTS: ReadonlySet<string> = new Set(['string', 'reference', 'binary'])
