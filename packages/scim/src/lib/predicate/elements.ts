import type { Compare, Present } from '../filter/tree.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { fold } from '../values/fold.ts'
import type { ElementSource } from './column-map.ts'
import type { Column } from './columns.ts'
import { translateCompare, translatePresent } from './comparison.ts'
import { EVERY, isNull, logical, NONE, notNull, type Predicate, selection } from './predicate.ts'
import { testAnyRow, testRows } from './rows.ts'
import { type Capabilities, joinTranslations, type Translation } from './translation.ts'

/** Translates a test, or its negation, for one element in a multi-valued attribute. */
export type ElementTest = (
  source: ElementSource,
  options: { readonly negated: boolean },
) => Translation

/**
 * Translates a comparison with a multi-valued attribute: any value may match (RFC 7644 §3.4.2.2). `ne` also matches if
 * no value exists.
 */
export function translateElements(
  expression: Compare | Present,
  sources: readonly ElementSource[],
  negated: boolean,
  capabilities: Capabilities,
): Translation {
  const { path } = expression
  const some = (test: ElementTest, not: boolean): Translation =>
    translateSome(sources, test, not, capabilities)
  if (expression.type === 'present') {
    const translate = (column: Column, not: boolean): Translation =>
      translatePresent(expression, column, not, capabilities)
    return some(
      path.subAttribute === null ? testAnyPart(translate) : testPart(path, translate),
      negated,
    )
  }
  const { operator, value } = expression
  // RFC 7643 §2.5: null is unassigned, so no element may have a value.
  const isUnassigned = value === null && operator === 'eq'
  const wanted: Compare = isUnassigned ? { ...expression, operator: 'ne' } : expression
  const test = testPart(path, (column, not) => translateCompare(wanted, column, not, capabilities))
  if (isUnassigned || (value === null && operator === 'ne')) {
    return some(path.subAttribute === null ? testElement : test, isUnassigned !== negated)
  }
  if (operator !== 'ne') return some(test, negated)
  const isEmpty = some(testElement, !negated)
  return joinTranslations(negated ? 'and' : 'or', [some(test, negated), isEmpty])
}

/** Translates a test for any element in any source, or its negation. */
export function translateSome(
  sources: readonly ElementSource[],
  test: ElementTest,
  negated: boolean,
  capabilities: Capabilities,
): Translation {
  const tests = sources.map((source) => {
    if (source.join === null) return testInline(source, test, negated)
    if (!capabilities.selections) return NO_SELECTIONS
    const translation = test(source, { negated: false })
    return source.rows === null
      ? testRow(source.join, translation, negated)
      : testRows(source.rows, translation, negated)
  })
  return joinTranslations(negated ? 'and' : 'or', tests)
}

/** Tests an element in the resource's own row. It exists unless all its columns are null. */
function testInline(source: ElementSource, test: ElementTest, negated: boolean): Translation {
  const names = [...source.columns.values()].flatMap((column) =>
    'name' in column ? column.name : [],
  )
  const presence = negated ? logical('and', names.map(isNull)) : logical('or', names.map(notNull))
  const translation = test(source, { negated })
  if (!negated && 'exact' in translation && excludesNull(translation.exact)) return translation
  return joinTranslations(negated ? 'or' : 'and', [{ exact: presence }, translation])
}

/** Returns whether a predicate rejects an element whose columns are all null. */
function excludesNull(predicate: Predicate): boolean {
  switch (predicate.type) {
    case 'comparison':
    case 'in':
    case 'foldedIn':
    case 'match':
      return true
    case 'null':
      return predicate.negated
    case 'logical':
      return predicate.operator === 'and'
        ? predicate.operands.some(excludesNull)
        : predicate.operands.length > 0 && predicate.operands.every(excludesNull)
    case 'exists':
      return false
  }
}

/** Tests an element in another table's row. */
function testRow(
  join: NonNullable<ElementSource['join']>,
  translation: Translation,
  negated: boolean,
): Translation {
  const exists = (where: Predicate): Predicate => selection({ join, where, negated })
  if ('exact' in translation) return { exact: exists(translation.exact) }
  return {
    reason: translation.reason,
    superset: negated ? null : exists(translation.superset ?? EVERY),
  }
}

const testElement: ElementTest = (_, { negated }) => ({ exact: negated ? NONE : EVERY })

/** RFC 7644 Table 3: a complex value is not empty if one of its parts is not empty. */
function testAnyPart(translate: (column: Column, negated: boolean) => Translation): ElementTest {
  return ({ columns, rows }, { negated }) => {
    if (rows !== null) return testAnyRow(rows)
    const parts = [...columns.values()].map((column) => translate(column, negated))
    return joinTranslations(negated ? 'and' : 'or', parts)
  }
}

/** Tests the path's sub-attribute, or the element's value. */
function testPart(
  path: AttributePath,
  translate: (column: Column, negated: boolean) => Translation,
): ElementTest {
  return ({ columns }, { negated }) => {
    const column = columns.get(fold(path.subAttribute ?? 'value'))
    return column === undefined
      ? { reason: `${stringifyPath(path)} is not mapped to a column`, superset: null }
      : translate(column, negated)
  }
}

const NO_SELECTIONS: Translation = {
  reason: 'the predicates of the query library cannot select from another table',
  superset: null,
}
