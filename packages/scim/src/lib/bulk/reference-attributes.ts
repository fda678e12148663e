import { type AttributeNode, attributeIndex } from '../schema/attribute-index.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { fold } from '../values/fold.ts'

/**
 * Whether an attribute's values refer to resources: a `reference` to a resource type, and the `value` next to a `$ref`,
 * such as `members.value` and `manager.value` (RFC 7643 §2.3.7, §2.4).
 */
export function isReference(node: AttributeNode): boolean {
  return isDefinedReference(node) || isDefinedReference(standardNodeOf(node))
}

function isDefinedReference(node: AttributeNode | undefined): boolean {
  if (node === undefined) return false
  const { type, name, parent, referenceTypes } = node
  if (type === 'reference') {
    return referenceTypes.length === 0 || referenceTypes.some((one) => !OTHERS.has(fold(one)))
  }
  return fold(name) === 'value' && isDefinedReference(parent?.subAttributes.get('$ref'))
}

/** Returns RFC 7643's definition for the attribute: a program's own may omit `$ref`, which it does not store. */
function standardNodeOf({ schema, parent, name }: AttributeNode): AttributeNode | undefined {
  const attribute = STANDARD.schemas
    .get(fold(schema.id))
    ?.attributes.get(fold(parent?.name ?? name))
  return parent === null ? attribute : attribute?.subAttributes.get(fold(name))
}

const STANDARD = attributeIndex({
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
})
/** RFC 7643 §7: references to other targets than resources. */
const OTHERS: ReadonlySet<string> = new Set(['external', 'uri'])
