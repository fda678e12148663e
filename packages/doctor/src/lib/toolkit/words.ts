import { type AttributeRole, describeLack } from '../model/attribute-needs.ts'
import type { ExaminedType } from '../model/types.ts'
import { type ComplexAttribute, findVocabulary, type ListAttribute } from '../model/vocabulary.ts'
import { skip } from './finding.ts'

/** The user attributes a check changes. If the check reads a missing one, it is skipped. */
export interface Words {
  /** The path to a string a client may change, such as `displayName`. `fit` returns values for it. */
  readonly text: string
  /** The path to another string, which a client may also remove, such as `title`. */
  readonly optional: string
  readonly complex: ComplexAttribute
  readonly list: ListAttribute
}

/** Finds the words for users. */
export function wordsOf(users: ExaminedType): Words {
  const found = findVocabulary(users)
  const lack = (role: AttributeRole): never => skip(describeLack(role))
  return {
    get text() {
      return found.text ?? lack('text')
    },
    get optional() {
      return found.optional ?? lack('optional')
    },
    get complex() {
      return found.complex ?? lack('complex')
    },
    get list() {
      return found.list ?? lack('list')
    },
  }
}
