import { fold, RawJson } from '@plumbline/scim'
import type { ListRequest } from '@plumbline/scim/endpoint'
import type { Filter } from '@plumbline/scim/filter'
import type { DirectoryContext } from './context.ts'
import { JsonPieces, type ResourceView, type WireResource } from './list/list.ts'

/** The changed part of a context. */
export type Noted = Pick<DirectoryContext, 'subject'>

/** Notes a request's resource, for the logs. */
export interface Subjects {
  /** Notes a resource, and returns it. */
  noted(context: Noted, id: string | null, resource: WireResource): WireResource
  /** Notes a resource sent to the client. */
  noteBody(context: Noted, id: string | null, body: ResourceView['body']): void
  /** Notes the looked-up name, and the resource if it is the only one found. */
  noteList(
    context: Noted,
    request: Pick<ListRequest, 'filter'>,
    resources: readonly ResourceView[],
  ): void
}

/** Creates the functions that note a type's resources. `name` is the attribute shown in the logs, if any. */
export function createSubjects(name: string | undefined): Subjects {
  const pattern = name === undefined ? null : memberPattern(name)
  const noted: Subjects['noted'] = ({ subject }, id, resource) => {
    if (id !== null) subject.resourceId = id
    const named = name === undefined ? undefined : resource[name]
    if (typeof named === 'string') subject.userName = named
    return resource
  }
  const noteBody: Subjects['noteBody'] = (context, id, body) => {
    const { subject } = context
    if (body instanceof RawJson) {
      subject.resourceId = id ?? stringIn(body, ID) ?? subject.resourceId
      if (pattern !== null) subject.userName = stringIn(body, pattern) ?? subject.userName
    } else if (body instanceof JsonPieces) {
      subject.resourceId = id ?? subject.resourceId
    } else {
      noted(context, id ?? idOf(body), body)
    }
  }
  return {
    noted,
    noteBody,
    noteList: (context, { filter }, resources) => {
      if (name !== undefined && filter?.type === 'compare' && isEqual(filter, name)) {
        context.subject.userName = String(filter.value)
      }
      if (filter === null) return
      const [only, ...others] = resources
      if (only !== undefined && others.length === 0) noteBody(context, null, only.body)
    },
  }
}

/** A resource's id; null if it is not a string. */
export function idOf({ id }: WireResource): string | null {
  return typeof id === 'string' ? id : null
}

function isEqual({ path, operator }: Filter.Compare, name: string): boolean {
  return operator === 'eq' && fold(path.attribute) === fold(name)
}

/** Finds the first member with a name in a resource's JSON without parsing it: most requests are reads. */
function stringIn({ text }: RawJson, pattern: RegExp): string | null {
  const quoted = pattern.exec(text)?.[1]
  return quoted === undefined ? null : JSON.parse(quoted)
}

// Quotes inside strings are escaped, so the pattern matches only a member's name.
function memberPattern(name: string): RegExp {
  return new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`)
}

const ID = memberPattern('id')
