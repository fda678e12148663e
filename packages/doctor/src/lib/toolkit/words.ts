import { type AttributeRole, describeLack } from '../model/attribute-needs.ts'
import type { ExaminedType } from '../model/types.ts'
import { type ComplexAttribute, findVocabulary, type ListAttribute } from '../model/vocabulary.ts'
import { skip } from './finding.ts'

/** The attributes of users that a check changes. Without the attribute that it reads, the check is skipped. */
export interface Words {
  /** The path of a string that a client may change, such as `displayName`. `fit` returns values of it. */
  readonly text: string
  /** The path of another string, which a client may also remove, such as `title`. */
  readonly optional: string
  readonly complex: ComplexAttribute
  readonly list: ListAttribute
}

/** Finds the words of users. */
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
