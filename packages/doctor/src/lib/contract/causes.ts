/**
 * Returns the likely cause behind a finding, if it says more than the check's advice: a column whose type is not text.
 * Empty without one.
 */
export function causeOf(found: string): string {
  return CAUSES.find(([pattern]) => pattern.test(found))?.[1] ?? ''
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(uuid|uniqueidentifier)\b/i,
    "Is it a uuid column? In the map of sqlStore, it is { column: 'id', key: 'uuid' }. ",
  ],
  [
    /\b(type (big|small)?int(eger)?|text = (big|small)?int(eger)?|(big|small)?int(eger)? = text)\b/i,
    "Is it an integer column? In the map of sqlStore, it is { column: 'id', key: 'integer' }. ",
  ],
]
