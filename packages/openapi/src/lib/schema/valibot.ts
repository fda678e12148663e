import type { JsonObject } from '../json/object.ts'

/** The schema of a file as zod writes it; ArkType's and Valibot's files are written the same. */
export const BINARY: JsonObject = { type: 'string', format: 'binary', contentEncoding: 'binary' }

/** A node of a Valibot schema or pipe while it is converted. */
interface SchemaNode {
  readonly valibotSchema: { readonly type: string }
}

interface ActionNode {
  readonly valibotAction: { readonly type: string; readonly requirement?: unknown }
  readonly jsonSchema: JsonObject
}

interface ValibotOptions {
  readonly overrideSchema: (node: SchemaNode) => JsonObject | null
  readonly overrideAction: (node: ActionNode) => JsonObject | null
  readonly ignoreActions: readonly string[]
}

/** Actions that JSON Schema cannot express or that JSON implies; zod and ArkType omit them as well. */
const IGNORED: readonly string[] = [
  ...['brand', 'flavor', 'readonly', 'finite'],
  ...['check', 'check_items', 'partial_check', 'raw_check'],
  ...['size', 'not_size', 'min_size', 'max_size'],
  ...['normalize', 'to_lower_case', 'to_upper_case', 'trim', 'trim_end', 'trim_start'],
]

/** The options of Valibot's converter for schemas and actions without a JSON Schema. */
export const VALIBOT_OPTIONS: ValibotOptions = {
  overrideSchema: ({ valibotSchema: { type } }) =>
    type === 'file' || type === 'blob' ? BINARY : null,

  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, requirement } = valibotAction
    if (type !== 'mime_type' || !Array.isArray(requirement)) return null
    const [only, ...others] = requirement
    if (others.length === 0) return { ...jsonSchema, contentMediaType: only }
    return { ...jsonSchema, anyOf: requirement.map((contentMediaType) => ({ contentMediaType })) }
  },

  ignoreActions: IGNORED,
}
