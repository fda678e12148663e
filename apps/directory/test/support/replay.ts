import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Client } from './harness.ts'

/** A recorded exchange with a provider: its requests and the expected responses. */
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
    /** Members that the body must have; null marks a member that must be absent. */
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Names of values for this and the following steps, each with a JSON pointer into the body. */
  save: z.record(z.string(), z.string().startsWith('/')).optional(),
})

/** The format of a run. */
export const RUN = z.strictObject({
  profile: z.enum(['standard', 'entra', 'okta']),
  /** The source of the recorded requests. */
  source: z.string().min(1),
  /** The extension schemas that the tenant has registered. */
  extensions: z.array(z.looseObject({})).optional(),
  steps: z.array(STEP).min(1),
})

/** The runs in `fixtures/providers`, by name. */
export function readRuns(): ReadonlyMap<string, Run> {
  const folder = new URL('../fixtures/providers/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => [
      file.replace('.json', ''),
      RUN.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    ]),
  )
}

/** Plays a run; throws an error with the run and the step if a response differs. */
export async function replay(name: string, run: Run, { send, base }: Replayed): Promise<void> {
  const saved = new Map([['base', base]])
  for (const step of run.steps) {
    const place = `${name}, step "${step.name}"`
    const found = await differencesOf(step, send, saved, place)
    if (found.length > 0) throw new Error([`${place}:`, ...found].join('\n  '))
  }
}

/** The server that a run is played against. */
export interface Replayed {
  readonly send: Client['send']
  /** The base URL of the SCIM endpoints, which a run calls `{{base}}`. */
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
    if (typeof value !== 'string') return [`no string at ${pointer} to save as ${key}`]
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
 * Returns the differences of a JSON value from the expected one. An object may have more members. A
 * member that is expected to be null must be absent. An array has the expected elements in any order.
 */
export function differences(actual: unknown, expected: unknown, pointer = ''): string[] {
  if (expected === null) {
    return actual === undefined || actual === null
      ? []
      : [`${pointer} must be absent, but is ${show(actual)}`]
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

/** Replaces names such as `{{userId}}` by the saved values. */
function substituted<Value>(
  value: Value,
  saved: ReadonlyMap<string, string>,
  place: string,
): Value {
  const text = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const known = saved.get(key)
    if (known === undefined) throw new Error(`${place}: no value was saved as ${key}`)
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
