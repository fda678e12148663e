import type { JsonObject } from '../../json/object.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import type { StreamSpec } from '../../spec/stream-spec.ts'
import type { Union } from '../discriminator.ts'
import type { FaultPlace, Report } from '../faults.ts'
import type { Located } from './equal-schemas.ts'
import type { Conversion } from './name-definitions.ts'

/** The schemas of one document while it is built, and the components they share. */
export interface Components {
  readonly report: Report
  /** The conversions of schemas, before and after their first use. */
  readonly conversions: Map<Schema, Conversion>
  /** The components by name, in the order of their first use. */
  readonly defined: Map<string, Component>
  /** The owners of reserved names. */
  readonly reserved: Map<string, string>
  /** The schemas of the events of each stream, which are components. */
  readonly streams: Map<StreamSpec, { readonly name: string; readonly schema: JsonObject }>
  /** The names of nameless schemas by their shape. */
  readonly placeNames: Map<string, string>
  /** The sources that are components or equal to one. */
  readonly settled: Set<object>
  /** The references a schema itself contains, each with the place of its first use. */
  readonly references: Map<string, FaultPlace>
  /** The unions of named schemas, which may receive a discriminator. */
  readonly unions: Union[]
  /** The schemas with examples. */
  readonly examples: { readonly schema: JsonObject; readonly place: FaultPlace }[]
}

/** A schema written once and referred to by name. */
export interface Component {
  readonly place: FaultPlace
  readonly located: Located
  /** Its source's text, computed on demand. */
  text?: string
  /** Null while it is being written. */
  schema: unknown
}

/** Starts the components of one document. */
export function createComponents(
  report: Report,
  conversions: Components['conversions'],
): Components {
  return {
    report,
    conversions,
    defined: new Map(),
    reserved: new Map(),
    streams: new Map(),
    placeNames: new Map(),
    settled: new Set(),
    references: new Map(),
    unions: [],
    examples: [],
  }
}
