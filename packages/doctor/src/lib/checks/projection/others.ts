import { type Attribute, type ExaminedType, isAlways, isReadable } from '../../model/types.ts'
import { skip } from '../../toolkit/finding.ts'

/** Lists the user attributes, except userName, that a response lacks if it is limited to userName. */
export function namesOf(users: ExaminedType): readonly string[] {
  const { attributes = [] } = users.definitions[users.schema] ?? {}
  const names = attributes
    .filter((one) => isReadable(one) && !COMMON.includes(one.name) && !hasAlways(users, one))
    .map(({ name }) => name)
  return names.length > 0
    ? names
    : skip('The server always returns the attributes that it declares.')
}

/** Whether a response may have the attribute, or a part of it, without naming it. */
function hasAlways(users: ExaminedType, { name, subAttributes = [] }: Attribute): boolean {
  return isAlways(users, name) || subAttributes.some(({ returned }) => returned === 'always')
}

const COMMON: readonly string[] = ['id', 'userName', 'schemas', 'meta']
