import { accepts, type Components, isJson, mediaTypeOf, own } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import { flatten } from '../members/flatten.ts'
import { type Break, breaksOf } from './breaks.ts'
import { type BrokenPart, isForm } from './parts.ts'
import type { BodyPlan, OperationPlan } from './plan.ts'
import { isWritable, rejectsText } from './text.ts'

/** Lists every constraint in an operation's parameters and bodies, each as a request that breaks only this one. */
export function listBreaks(plan: OperationPlan, components: Components): readonly BrokenPart[] {
  const parameters = plan.parameters.flatMap((at): BrokenPart[] => {
    const { schema, pointer, location, isRequired } = at
    const found = breaksOf(schema, pointer, components)
      .filter((one) =>
        mayBreak(
          one,
          (value) => isWritable(location, value) && rejectsText(schema, value, components),
        ),
      )
      .map((one) => ({ ...one, at }))
    const parameter = pointer.slice(0, pointer.lastIndexOf('/'))
    const absent = { pointer: `${parameter}/required`, constraint: `required ${at.name}`, at }
    return isRequired && location !== 'params' ? [absent, ...found] : found
  })
  const absent = plan.bodies.slice(0, 1).map(
    (body): BrokenPart => ({
      pointer: `${plan.pointer}/requestBody/required`,
      constraint: 'required body',
      at: { location: 'body', plan: body },
    }),
  )
  return [
    ...parameters,
    ...(plan.isBodyRequired ? absent : []),
    ...plan.bodies.flatMap((body) => breaksOfBody(body, components)),
  ]
}

function breaksOfBody(plan: BodyPlan, components: Components): readonly BrokenPart[] {
  const { schema, pointer } = plan
  if (isForm(plan)) return breaksOfForm(plan, components)
  const isText = !isJson(mediaTypeOf(plan.type))
  return breaksOf(schema, pointer, components)
    .filter((one) =>
      mayBreak(one, (value) =>
        isText
          ? typeof value !== 'object' && rejectsText(schema, value, components)
          : !accepts(schema, value, components),
      ),
    )
    .map((one) => ({ ...one, at: { location: 'body', plan } }))
}

/** Lists the constraints in a form. Fields are text, like parameters. */
function breaksOfForm(plan: BodyPlan, components: Components): readonly BrokenPart[] {
  const node = flatten(plan.schema, components)
  const names = Array.isArray(node?.required) ? node.required.map(String) : []
  return Object.entries(Object(node?.properties)).flatMap(([field, part]): BrokenPart[] => {
    const at = { location: 'body', plan, field } as const
    const pointer = plan.pointer + pointerOf(['properties', field])
    const withField = (broken: unknown, required: readonly string[]) => ({
      ...node,
      properties: { ...Object(node?.properties), [field]: broken },
      required,
    })
    const found = breaksOf(part, pointer, components)
      .filter((one) =>
        mayBreak(one, (value) => isWritable('form', value) && rejectsText(part, value, components)),
      )
      .map((one) => ({
        ...one,
        at,
        schema: withField(one.schema, [...new Set([...names, field])]),
      }))
    const others = names.filter((name) => name !== field)
    const absent = { pointer: `${plan.pointer}/required`, constraint: `required ${field}`, at }
    return names.includes(field)
      ? [{ ...absent, schema: withField(false, others) }, ...found]
      : found
  })
}

/** Whether a break can be sent: if it lists values, one of them must break the schema. */
function mayBreak({ schema }: Break, isBreaking: (value: unknown) => boolean): boolean {
  const values = own(schema, 'enum')
  return !Array.isArray(values) || values.some(isBreaking)
}
