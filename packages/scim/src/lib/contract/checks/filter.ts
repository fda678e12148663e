import { unwrap } from '@plumbline/result'
import { compileFilter } from '../../filter/compile.ts'
import { parseFilter } from '../../filter/parse.ts'
import type { AttributeType } from '../../schema/types.ts'
import { type Field, isReadable } from '../attributes.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf } from '../client.ts'
import { expectStatus } from '../expectations.ts'
import type { FilterRow } from '../rows/filter-row.ts'
import { createPeople, rowFilters } from '../rows/people-of-type.ts'
import type { Body, Served, World } from '../world.ts'
import { comparisons, logicalFilters, valueFilters } from './filters.ts'
import { requireSame } from './list.ts'
import { query, unfolded } from './values.ts'

const EXACT =
  'translate the filter exactly, as splitFilter and filterToSql do, or leave filter out of applied, so that the endpoint filters in memory.'

/** Filtered lists. The expected resources are those that `compileFilter` selects. */
export const FILTER_CHECKS: readonly StoreCheck[] = [
  filters('strings without regard to letter case', ({ attribute }) => unfolded(attribute), 'text'),
  filters(
    'strings with regard to letter case',
    ({ attribute: { type, caseExact } }) =>
      (type === 'string' || type === 'reference') && caseExact === true,
    'exact text',
  ),
  filters('numbers', typeIs('integer', 'decimal')),
  filters('instants', typeIs('dateTime')),
  filters('booleans', typeIs('boolean'), 'boolean'),
  filters('binary values', typeIs('binary')),
  {
    name: 'filter: compares one value of a list in a value path',
    section: 'RFC 7644 §3.4.2.2',
    advice: `all comparisons in the brackets apply to the same value of the list. ${EXACT}`,
    run: (world) =>
      requireMatches(world, {
        filtersOf: valueFilters,
        about: 'value path',
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
        about: 'logic',
        reason: 'no attribute can be compared',
      }),
  },
]

function typeIs(...types: readonly AttributeType[]): (field: Field) => boolean {
  return ({ attribute }) => types.includes(attribute.type)
}

/**
 * The check that every operator compares the attributes that `select` returns true for. The rows about the values
 * are compared, too.
 */
function filters(
  what: string,
  select: (field: Field) => boolean,
  about: FilterRow['about'] | null = null,
): StoreCheck {
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
        about,
        reason: `no attribute has ${what}`,
      }),
  }
}

interface Asked {
  /** Returns filters that are generated from the definitions and the resources. */
  readonly filtersOf: (type: Served, resources: readonly Body[]) => readonly string[]
  /** Selects rows of `FILTER_ROWS`; null for none of them. */
  readonly about: FilterRow['about'] | null
  /** Says why the check does not apply without filters. */
  readonly reason: string
}

/** Throws unless each filter selects the resources that it selects in memory. */
async function requireMatches(world: World, { filtersOf, about, reason }: Asked): Promise<void> {
  some(
    world.types.flatMap((type) => filtersOf(type, [])),
    reason,
  )
  for (const type of world.types) {
    if (filtersOf(type, []).length === 0) continue
    const generated = await type.fill(8)
    const people = about === null ? null : await createPeople(world, type)
    const rows = people === null ? [] : rowFilters(type, people, about)
    const resources = [...generated, ...Object.values(people ?? {})]
    for (const filter of [...filtersOf(type, generated), ...rows]) {
      const expression = unwrap(parseFilter(filter))
      const matches = unwrap(compileFilter(expression, type))
      const expected = resources.filter(matches).map(idOf).sort()
      const answer = await world.send('GET', type.endpoint + query({ filter, count: 100 }))
      expectStatus(answer, 200, 'the filter is valid')
      requireSame(answer, expected, idsAmong(answer, resources).sort(), 'the resources')
    }
  }
}

/** The listed ids that belong to the resources: those that others refer to are not compared. */
function idsAmong(answer: Answer, resources: readonly Body[]): string[] {
  const ids = new Set(resources.map(idOf))
  return idsOf(answer).filter((id) => ids.has(id))
}
