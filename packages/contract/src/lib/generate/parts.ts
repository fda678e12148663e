import {
  accepts,
  type Components,
  createWork,
  FORM,
  isExaminedWhole,
  isJson,
  MULTIPART,
  mediaTypeOf,
  own,
} from '@plumbline/base'
import type { Arbitrary } from 'fast-check'
import { flatten } from '../members/flatten.ts'
import type { Members } from '../members/plan.ts'
import { coverSlot, type Slot } from '../members/slot.ts'
import type { CoverageKind, Item } from '../report.ts'
import type { FastCheck } from './fast-check.ts'
import type { BodyPlan, OperationPlan, ParameterPlan } from './plan.ts'
import { isWritable, rejectsText } from './text.ts'
import type { ValuesOf } from './values.ts'

/** A generated request's parts, before they are written. */
export interface Parts {
  readonly params: Values
  readonly query: Values
  readonly headers: Values
  readonly cookies: Values
  /** Null for a request without a body. */
  readonly body: { readonly plan: BodyPlan; readonly value: unknown } | null
}

type Values = Readonly<Record<string, unknown>>

/** Marks a path parameter whose value comes from the answer to an earlier request. */
export const KNOWN: unique symbol = Symbol('known')

/** A request's only invalid part: a parameter, a body, or a form field. */
export interface BrokenPart {
  readonly pointer: string
  readonly constraint: string
  readonly at:
    | ParameterPlan
    | { readonly location: 'body'; readonly plan: BodyPlan; readonly field?: string }
  /** The schema for the values; undefined if the part is left out. */
  readonly schema?: unknown
}

/** The sources for parameter and body values. */
export interface Making {
  readonly fc: FastCheck
  readonly components: Components
  readonly json: ValuesOf
  readonly header: ValuesOf
  /** Whether a path parameter's value comes from an earlier answer. */
  readonly isKnown: (plan: OperationPlan, name: string) => boolean
  /** Whether requests aim at a part: then it is always sent. */
  readonly isWanted: (plan: OperationPlan, kind: CoverageKind, name: string) => boolean
  /** Finds an operation's members as counted in a report. */
  readonly membersOf: (plan: OperationPlan) => Members
  /** Caches results from `aimAtMembers`: sampling a large schema takes 0.1 s. */
  readonly aimed: Map<Slot, Arbitrary<unknown>>
}

/** Which requests are made for an operation. */
export interface Wished {
  /** The invalid part; null for valid requests. */
  readonly broken: BrokenPart | null
  /** Whether some path parameters may name missing resources. */
  readonly isAnyPath: boolean
}

/** An operation's requests, all valid or with one broken part; null if a part does not have a value. */
export function partsOf(
  plan: OperationPlan,
  making: Making,
  wished: Wished,
): Arbitrary<Parts> | null {
  const { fc } = making
  const { broken } = wished
  const places = LOCATIONS.map((location) => valuesAt(location, plan, making, wished))
  const body = bodyOf(plan, making, broken)
  const [params, query, headers, cookies] = places
  if (!params || !query || !headers || !cookies || body === null) return null
  return fc.record({ params, query, headers, cookies, body })
}

function valuesAt(
  location: ParameterPlan['location'],
  plan: OperationPlan,
  making: Making,
  { broken, isAnyPath }: Wished,
): Arbitrary<Values> | null {
  const { fc } = making
  const parts: Record<string, Arbitrary<unknown>> = {}
  const required: string[] = []
  for (const parameter of plan.parameters) {
    if (parameter.location !== location) continue
    const { name, schema, isRequired } = parameter
    const isBroken = broken?.at === parameter
    if (isBroken && broken.schema === undefined) continue
    const valuesOf = location === 'headers' ? making.header : making.json
    const slot = making.membersOf(plan).parameters[location].get(name)
    const values = isBroken
      ? valuesOf(broken.schema)
      : aimAtMembers(valuesOf(schema), slot, plan, making)
    const isKnown = !isBroken && location === 'params' && making.isKnown(plan, name)
    const isWildcard = isAnyPath && location === 'params' && plan.wildcards.includes(name)
    const each = [
      // Handlers forget that a wildcard may be empty.
      ...(isWildcard ? [{ weight: 1, arbitrary: fc.constant('') }] : []),
      ...(isKnown ? [{ weight: 4, arbitrary: fc.constant(KNOWN) }] : []),
      ...(values === null || (isKnown && !isAnyPath) ? [] : [{ weight: 1, arbitrary: values }]),
    ]
    const item = itemOf(parameter)
    const isAimedAt =
      making.isWanted(plan, 'parameter', item) &&
      !making.isWanted(plan, 'members', `${item} absent`)
    const isSent = isRequired || isBroken || isAimedAt
    if (isSent) required.push(name)
    if (each.length > 0) parts[name] = fc.oneof(...each)
    else if (isSent) return null
  }
  return fc.record(parts, { requiredKeys: required, noNullPrototype: true })
}

/** A parameter's name in a coverage report. */
function itemOf({ location, name }: ParameterPlan): string {
  const prefix = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie' }[location]
  return `${prefix}:${name}`
}

function bodyOf(
  plan: OperationPlan,
  making: Making,
  broken: BrokenPart | null,
): Arbitrary<Parts['body']> | null {
  const { fc } = making
  const none = fc.constant(null)
  if (plan.bodies.length === 0) return none
  const isOther = broken?.at.location === 'body' ? broken.at.plan : null
  if (isOther && broken?.schema === undefined) return none
  const wanted = plan.bodies.filter(({ type }) =>
    making.isWanted(plan, 'mediaType', mediaTypeOf(type)),
  )
  const chosen = isOther ? [isOther] : wanted.length > 0 ? wanted : plan.bodies
  const each = chosen.flatMap((body): Arbitrary<Parts['body']>[] => {
    const slot = making.membersOf(plan).bodies.get(mediaTypeOf(body.type))
    const values = isOther
      ? making.json(broken?.schema)
      : aimAtMembers(making.json(body.schema), slot, plan, making)
    return values === null ? [] : [values.map((value) => ({ plan: body, value }))]
  })
  if (each.length === 0) return plan.isBodyRequired ? null : none
  if (plan.isBodyRequired || isOther) return fc.oneof(...each)
  return fc.oneof(...each.map((arbitrary) => ({ weight: 6, arbitrary })), {
    weight: 1,
    arbitrary: none,
  })
}

/** Prefers values that cover a report's uncovered members: the first one in a sample for each member. */
function aimAtMembers(
  values: Arbitrary<unknown> | null,
  slot: Slot | undefined,
  plan: OperationPlan,
  { fc, isWanted, aimed }: Making,
): Arbitrary<unknown> | null {
  if (values === null || slot === undefined) return values
  const known = aimed.get(slot)
  if (known !== undefined) return known
  const found = new Map<string, unknown>()
  for (const value of fc.sample(values, { numRuns: SAMPLE, seed: 1 })) {
    const covered = new Set<Item>()
    const add = (item: Item) => covered.add(item)
    isExaminedWhole(() => coverSlot(slot, value, { add, work: createWork() }))
    for (const { kind, name } of covered) {
      if (!found.has(name) && isWanted(plan, kind, name)) found.set(name, value)
    }
  }
  const aims = [...new Set(found.values())]
  const either =
    aims.length === 0
      ? values
      : fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...aims) },
          { weight: 1, arbitrary: values },
        )
  aimed.set(slot, either)
  return either
}

/** How many values are searched for members. */
const SAMPLE = 200
const LOCATIONS = ['params', 'query', 'headers', 'cookies'] as const

/** Whether a request is as intended: valid, or invalid in exactly one part. */
export function isAsMeant(
  parts: Parts,
  plan: OperationPlan,
  components: Components,
  broken: BrokenPart | null,
): boolean {
  for (const parameter of plan.parameters) {
    const { location, name, schema } = parameter
    const value = own(parts[location], name)
    const isBroken = broken?.at === parameter
    if (value === undefined || value === KNOWN) continue
    if (!isWritable(location, value)) return false
    const isRejected = isBroken
      ? rejectsText(schema, value, components)
      : !accepts(schema, value, components)
    if (isRejected !== isBroken) return false
  }
  if (parts.body === null) return true
  const { plan: body, value } = parts.body
  const at = broken?.at.location === 'body' ? broken.at : null
  return at ? isBrokenBody(body, value, components, at.field) : isValidBody(body, value, components)
}

function isValidBody(body: BodyPlan, value: unknown, components: Components): boolean {
  return (
    accepts(body.schema, value, components) &&
    (!isForm(body) || Object.values(Object(value)).every((one) => isWritable('form', one)))
  )
}

function isBrokenBody(
  { type, schema }: BodyPlan,
  value: unknown,
  components: Components,
  field: string | undefined,
): boolean {
  if (isJson(mediaTypeOf(type))) return !accepts(schema, value, components)
  if (field === undefined) {
    return typeof value === 'object' ? false : rejectsText(schema, value, components)
  }
  const fields = Object(value)
  if (!Object.values(fields).every((one) => isWritable('form', one))) return false
  const part = own(flatten(schema, components)?.properties, field)
  return !Object.hasOwn(fields, field) || rejectsText(part, fields[field], components)
}

/** Whether a body is a form, whose fields are text. */
export function isForm({ type }: BodyPlan): boolean {
  return [FORM, MULTIPART].includes(mediaTypeOf(type))
}
