import type { JsonObject } from '@plumbline/base'
import type { Schema } from '../../schema/standard-schema.ts'
import type { StreamSpec } from '../../spec/stream-spec.ts'
import type { Union } from '../discriminator.ts'
import type { FaultPlace, Report } from '../faults.ts'
import type { Located } from './equal-schemas.ts'
import type { Conversion } from './name-definitions.ts'

/** A document's schemas while it is built, and their shared components. */
export interface Components {
  readonly report: Report
  /** Converted schemas, before and after their first use. */
  readonly conversions: Map<Schema, Conversion>
  /** The components by name, in the order of first use. */
  readonly defined: Map<string, Component>
  /** Reserved names with their owners. */
  readonly reserved: Map<string, string>
  /** Each stream's event schema, which is a component. */
  readonly streams: Map<StreamSpec, { readonly name: string; readonly schema: JsonObject }>
  /** The names given to nameless schemas, by shape. */
  readonly placeNames: Map<string, string>
  /** Sources equal to a component, including the components themselves. */
  readonly settled: Set<object>
  /** The references written in schemas, each with the place where it is first used. */
  readonly references: Map<string, FaultPlace>
  /** Unions whose branches are all named, which may receive a discriminator. */
  readonly unions: Union[]
  /** Schemas with examples. */
  readonly examples: { readonly schema: JsonObject; readonly place: FaultPlace }[]
}

/** A schema written once and referred to by name. */
export interface Component {
  readonly place: FaultPlace
  readonly located: Located
  /** The source's text, computed on demand. */
  text?: string
  /** Null while it is being written. */
  schema: unknown
}

/** Creates the state for one document. */
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
