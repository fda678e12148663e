import type { Predicate } from '../predicate/predicate.ts'

/** Returns whether an index can find a condition's rows. With null, any column may have an index. */
export function isServed(predicate: Predicate, indexed: readonly string[] | null): boolean {
  const isIndexed = (column: string): boolean => indexed === null || indexed.includes(column)
  switch (predicate.type) {
    case 'comparison':
      return predicate.operator === 'eq' && isIndexed(predicate.column)
    case 'in':
      return isIndexed(predicate.column)
    case 'logical': {
      const { operator, operands } = predicate
      return (
        operator === 'or' && operands.length > 0 && operands.every((one) => isServed(one, indexed))
      )
    }
    case 'match':
      return indexed === null && !predicate.negated && predicate.pieces.length === 1
    case 'foldedIn':
      return indexed === null
    case 'null':
    case 'exists':
      return false
  }
}
