import { unwrap } from '@plumbline/result'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import type { Field } from '../../model/fields.ts'
import { type AttributeType, isReadable } from '../../model/types.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf } from '../client.ts'
import { expectCreated, expectStatus } from '../expectations.ts'
import { plainStrings, withStrings } from '../strings.ts'
import type { Body, Served, World } from '../world.ts'
import { comparisons, logicalFilters, UNUSUAL, unusualFilters, valueFilters } from './filters.ts'
import { requireSame } from './list.ts'
import { query, unfolded } from './values.ts'

const EXACT =
  'translate the filter exactly, as splitFilter and filterToSql do, or leave filter out of applied, so that the endpoint filters in memory.'

/** Filtered lists. The expected resources are those that `compileFilter` selects. */
export const FILTER_CHECKS: readonly StoreCheck[] = [
  filters('strings without regard to letter case', ({ attribute }) => unfolded(attribute)),
  filters(
    'strings with regard to letter case',
    ({ attribute: { type, caseExact } }) =>
      (type === 'string' || type === 'reference') && caseExact === true,
  ),
  filters('numbers', typeIs('integer', 'decimal')),
  filters('instants', typeIs('dateTime')),
  filters('booleans', typeIs('boolean')),
  filters('binary values', typeIs('binary')),
  {
    name: 'filter: compares unusual strings exactly',
    section: 'RFC 7644 §3.4.2.2',
    advice: `escape %, _ and \\ in patterns, and use a collation that compares accents and trailing blanks. ${EXACT}`,
    async run(world) {
      const types = world.types.filter((type) => plainStrings(type).length > 0)
      for (const type of some(types, 'no attribute is a free string')) {
        const fields = plainStrings(type).slice(0, 4)
        const resources: Body[] = []
        for (const [at, text] of UNUSUAL.entries()) {
          const body = withStrings(await type.sample('minimal', at + 1), type, text)
          const answer = await world.send('POST', type.endpoint, body)
          // A store may reject a string that is too long.
          if (answer.status !== 400)
            resources.push(await type.read(idOf(expectCreated(answer).body)))
        }
        for (const { path } of fields) {
          await requireFilters(world, type, resources, unusualFilters(path))
        }
      }
    },
  },
  {
    name: 'filter: compares one value of a list in a value path',
    section: 'RFC 7644 §3.4.2.2',
    advice: `all comparisons in the brackets apply to the same value of the list. ${EXACT}`,
    run: (world) =>
      requireMatches(world, {
        filtersOf: valueFilters,
        reason: 'no attribute has a list of values',
      }),
  },
  {
    name: 'filter: combines conditions by and, or and not',
    section: 'RFC 7644 §3.4.2.2',
    advice: `a comparison with NULL is not true in SQL, and its negation is not either. ${EXACT}`,
    run: (world) =>
      requireMatches(world, {
        filtersOf: logicalFilters,
        reason: 'no attribute can be compared',
      }),
  },
]

function typeIs(...types: readonly AttributeType[]): (field: Field) => boolean {
  return ({ attribute }) => types.includes(attribute.type)
}

/** The check that every operator compares the attributes that `select` returns true for. */
function filters(what: string, select: (field: Field) => boolean): StoreCheck {
  return {
    name: `filter: compares ${what} by every operator`,
    section: 'RFC 7644 §3.4.2.2',
    advice: EXACT,
    run: (world) =>
      requireMatches(world, {
        filtersOf: (type, resources) =>
          type.fields
            .filter((field) => isReadable(field.attribute) && select(field))
            .flatMap((field) => comparisons(field, resources)),
        reason: `no attribute has ${what}`,
      }),
  }
}

interface Question {
  /** Returns filters that are generated from the definitions and the resources. */
  readonly filtersOf: (type: Served, resources: readonly Body[]) => readonly string[]
  /** Says why the check does not apply without filters. */
  readonly reason: string
}

/** Throws unless each filter selects the resources that it selects in memory. */
async function requireMatches(world: World, { filtersOf, reason }: Question): Promise<void> {
  some(
    world.types.flatMap((type) => filtersOf(type, [])),
    reason,
  )
  for (const type of world.types) {
    if (filtersOf(type, []).length === 0) continue
    const generated = await type.fill(8)
    await requireFilters(world, type, generated, filtersOf(type, generated))
  }
}

/** Throws unless each filter selects the resources that it selects in memory. */
async function requireFilters(
  { send }: World,
  type: Served,
  resources: readonly Body[],
  filters: readonly string[],
): Promise<void> {
  for (const filter of filters) {
    const expression = unwrap(parseFilter(filter))
    const matches = unwrap(compileFilter(expression, type))
    const expected = resources.filter(matches).map(idOf).sort()
    const answer = await send('GET', type.endpoint + query({ filter, count: 100 }))
    expectStatus(answer, 200, 'the filter is valid')
    requireSame(answer, expected, idsAmong(answer, resources).sort(), 'the resources')
  }
}

/** The listed ids that belong to the resources: those that others refer to are not compared. */
function idsAmong(answer: Answer, resources: readonly Body[]): string[] {
  const ids = new Set(resources.map(idOf))
  return idsOf(answer).filter((id) => ids.has(id))
}
