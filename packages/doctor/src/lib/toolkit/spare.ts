import { type Attribute, type ExaminedType, isReadable, isWritable } from '../model/types.ts'
import { findVocabulary } from '../model/vocabulary.ts'

/** Finds the path to a string that may have any value, if possible one a client may also remove. */
export function spareText(type: ExaminedType): string | undefined {
  const { text, optional } = findVocabulary(type)
  return optional ?? (text === 'userName' ? undefined : text)
}

/** Finds a list no sample has, and no server fills from a userName. */
export function spareList({ definitions, schema }: ExaminedType): string | undefined {
  const lists = definitions[schema]?.attributes.filter(
    (one) => one.multiValued === true && !one.required && isWritable(one) && isReadable(one),
  )
  const spare = lists?.filter(({ name }) => name !== 'emails' && name !== 'members')
  return (spare?.find(({ name }) => name === 'phoneNumbers') ?? spare?.[0])?.name
}

/** Finds a text attribute that never changes once it is set. */
export function immutableText({ definitions, schema }: ExaminedType): Attribute | undefined {
  return definitions[schema]?.attributes.find(
    (attribute) =>
      attribute.type === 'string' &&
      !attribute.multiValued &&
      attribute.mutability === 'immutable' &&
      isReadable(attribute),
  )
}
