import { countOf } from '../counts.ts'
import type { Action, PlannedAction } from './actions.ts'
import type { DryRun, PlannedHold } from './dry-run.ts'

/** Writes a dry run as text: the counts, the actions by kind, and the requests with different responses. */
export function writeDryRun(result: DryRun): string {
  const { tenant, source, profile, requests, actions, different, missingSchemas, hold } = result
  const kinds = ACTIONS.map((action) => actions.filter((one) => one.action === action))
  const lines = [
    `Nothing was written. ${requests} requests (profile ${profile}) on tenant ${tenant}: ${source}`,
    '',
    ...kinds.flatMap(countsOf),
    actions.length === 0 ? 'The run would not change anything.' : '',
    ...kinds.flatMap(listOf),
    ...missingSchemas.map(
      (urn) => `The tenant does not have the schema ${urn}, whose attributes are ignored.`,
    ),
    ...(different.length === 0
      ? []
      : ['', `${different.length} requests are answered differently:`]),
    ...shortened(different).map(
      ({ step, name, request, reason }) =>
        `  ${step}. ${cut(name)}: ${cut(request)}: ${cut(reason)}`,
    ),
    ...moreOf(different),
    '',
    holdText(hold),
    ...(result.connection === 'active'
      ? []
      : [`Changes of this tenant wait: its connection is ${result.connection}.`]),
  ]
  return `${lines.map(escapeControls).join('\n')}\n`
}

function countsOf(actions: readonly PlannedAction[]): readonly string[] {
  const [first] = actions
  if (first === undefined) return []
  const types = [...new Set(actions.map(({ resourceType }) => resourceType))]
  const counts = types.map(
    (type) => `${actions.filter(({ resourceType }) => resourceType === type).length} ${type}`,
  )
  return [`${first.action.padEnd(WIDTH)}${counts.join(', ')}`]
}

function listOf(actions: readonly PlannedAction[]): readonly string[] {
  return [...shortened(actions).map(lineOf), ...moreOf(actions)]
}

function lineOf({ action, resourceType, id, name, externalId, ...more }: PlannedAction): string {
  const { attributes, added = 0, removed = 0 } = more
  const what = action === 'members' ? `${added} added, ${removed} removed` : attributes?.join(', ')
  const who = `${resourceType} ${name ?? id}${externalId === null ? '' : ` (externalId ${externalId})`}`
  return `${action.padEnd(WIDTH)}${who}${what === undefined ? '' : `: ${what}`}`
}

function holdText(hold: PlannedHold | null): string {
  if (hold === null) return "The tenant's rule would not hold the changes."
  const { reason, step, users, groupId } = hold
  const why =
    reason === 'users'
      ? `${countOf(users)} users would lose their access`
      : `the protected group ${groupId} would become empty`
  return `The tenant's rule would hold the changes from request ${step}: ${why}.`
}

function shortened<Line>(lines: readonly Line[]): readonly Line[] {
  return lines.slice(0, MOST_LINES)
}

function moreOf({ length }: readonly unknown[]): readonly string[] {
  return length > MOST_LINES ? [`… and ${length - MOST_LINES} more; --json prints all`] : []
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** A recording may contain control characters, which could change a terminal. */
function escapeControls(text: string): string {
  return text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ACTIONS: readonly Action[] = [
  ...(['create', 'create and delete', 'link', 'change'] as const),
  ...(['deactivate', 'reactivate', 'delete', 'members'] as const),
]
const WIDTH = 'create and delete'.length + 2
const MOST_LINES = 200
const LONGEST = 300
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
