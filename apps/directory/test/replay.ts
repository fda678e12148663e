import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Client } from './harness.ts'

/** A recorded exchange with a provider: what it sends, and what it has to be answered with. */
export type Run = z.infer<typeof RUN>

type Step = Run['steps'][number]

const STEP = z.strictObject({
  name: z.string().min(1),
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().startsWith('/'),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
  expect: z.strictObject({
    status: z.int(),
    /** What the body holds at least; null stands for what must not be there. */
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Names for the steps that follow, and for what this one expects: JSON pointers into the body. */
  save: z.record(z.string(), z.string().startsWith('/')).optional(),
})

const RUN = z.strictObject({
  profile: z.enum(['standard', 'entra', 'okta']),
  /** Where the shapes come from. */
  source: z.string().min(1),
  steps: z.array(STEP).min(1),
})

/** The runs in `fixtures/providers`, by name. */
export function readRuns(): ReadonlyMap<string, Run> {
  const folder = new URL('fixtures/providers/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => [
      file.replace('.json', ''),
      RUN.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    ]),
  )
}

/** Plays a run; throws an error that names the run and the step where an answer is another. */
export async function replay(name: string, run: Run, { send, base }: Replayed): Promise<void> {
  const saved = new Map([['base', base]])
  for (const step of run.steps) {
    const place = `${name}, step "${step.name}"`
    const found = await differencesOf(step, send, saved, place)
    if (found.length > 0) throw new Error([`${place}:`, ...found].join('\n  '))
  }
}

/** What a run is played against. */
export interface Replayed {
  readonly send: Client['send']
  /** Where the SCIM endpoints stand, which a run calls `{{base}}`. */
  readonly base: string
}

async function differencesOf(
  step: Step,
  send: Client['send'],
  saved: Map<string, string>,
  place: string,
): Promise<string[]> {
  const { method, path, headers, body } = substituted(step.request, saved, place)
  const answer = await send(method, path, body, headers)
  if (answer.status !== step.expect.status) {
    const text = JSON.stringify(answer.body)
    return [`the status is ${answer.status}, not ${step.expect.status}: ${text}`]
  }
  for (const [key, pointer] of Object.entries(step.save ?? {})) {
    const value = at(answer.body, pointer)
    if (typeof value !== 'string') return [`there is no text at ${pointer} to save as ${key}`]
    saved.set(key, value)
  }
  const expected = substituted(step.expect, saved, place)
  const ofHeaders = Object.entries(expected.headers ?? {}).flatMap(([key, value]) => {
    const actual = answer.headers.get(key)
    return actual === value ? [] : [`the header ${key} is ${actual}, not ${value}`]
  })
  const ofBody = expected.body === undefined ? [] : differences(answer.body, expected.body)
  return [...ofHeaders, ...ofBody]
}

/**
 * Where a JSON value does not hold what is expected of it. An object may have more members; a member
 * that is expected to be null must not be there; a list has as many elements, in any order.
 */
export function differences(actual: unknown, expected: unknown, pointer = ''): string[] {
  if (expected === null) {
    return actual === undefined || actual === null ? [] : [`${pointer} is there: ${show(actual)}`]
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [other()]
    const left: unknown[] = [...actual]
    return expected.flatMap((element, index) => {
      const found = left.findIndex((one) => differences(one, element).length === 0)
      if (found < 0) return [`${pointer}/${index}: no element is ${show(element)} in ${show(left)}`]
      left.splice(found, 1)
      return []
    })
  }
  if (typeof expected !== 'object') return actual === expected ? [] : [other()]
  if (typeof actual !== 'object' || actual === null) return [other()]
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(
      Object.hasOwn(actual, key) ? actual[key as keyof typeof actual] : undefined,
      value,
      `${pointer}/${key}`,
    ),
  )

  function other(): string {
    return `${pointer || 'the body'} is ${show(actual)}, not ${show(expected)}`
  }
}

/** Puts saved values where their names stand, `{{userId}}` for one. */
function substituted<Value>(
  value: Value,
  saved: ReadonlyMap<string, string>,
  place: string,
): Value {
  const text = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const known = saved.get(key)
    if (known === undefined) throw new Error(`${place}: nothing was saved as ${key}`)
    return JSON.stringify(known).slice(1, -1)
  })
  return JSON.parse(text)
}

/** The value at a JSON pointer (RFC 6901). */
function at(value: unknown, pointer: string): unknown {
  const keys = pointer.slice(1).split('/')
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (found, key) => (Object.hasOwn(Object(found), key) ? Object(found)[key] : undefined),
      value,
    )
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'missing'
}
