import type { Predicate as TablePredicate } from '@remix-run/data-table'
import { logical, type Match, matchesOf, type Predicate } from '../predicate/predicate.ts'

/**
 * Converts a predicate to the library's form. It is built as data, because the library's own functions read a value
 * such as `admin.password` as a column.
 */
export function writePredicate(predicate: Predicate): TablePredicate {
  switch (predicate.type) {
    case 'comparison': {
      const { column, operator, value } = predicate
      return { type: 'comparison', operator, column, value, valueType: 'value' }
    }
    case 'in': {
      const { column, values } = predicate
      return { type: 'comparison', operator: 'in', column, value: values, valueType: 'value' }
    }
    case 'foldedIn':
      return writePredicate(logical('or', matchesOf(predicate)))
    case 'match':
      return writeMatch(predicate)
    case 'null': {
      const { column, negated } = predicate
      return { type: 'null', operator: negated ? 'notNull' : 'isNull', column }
    }
    case 'logical': {
      const { operator, operands } = predicate
      return { type: 'logical', operator, predicates: operands.map(writePredicate) }
    }
    case 'exists':
      throw new TypeError('the query library cannot select from another table')
  }
}

/**
 * Writes a match. The library lacks an escape character, so each pattern character in the value matches any character.
 */
function writeMatch({ column, pieces, folded, negated }: Match): TablePredicate {
  if (negated) throw new TypeError('the query library cannot negate a match')
  const value = pieces.map((piece) => piece.replace(WILD, '_')).join('%')
  const operator = folded ? 'ilike' : 'like'
  return { type: 'comparison', operator, column, value, valueType: 'value' }
}

const WILD = /[%_\\]/g
