import { type AttributeIndex, attributeIndex } from '../schema/attribute-index.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'

/** RFC 7643 attributes, whose types are known without definitions. */
export const KNOWN: AttributeIndex = attributeIndex({
  [USER_DEFINITION.id]: USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
})
