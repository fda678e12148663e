/**
 * A request rejected with `400 invalidSyntax` although the standard permits it, off by default. Each name documents the
 * profile it comes from.
 */
export type Rejection =
  /**
   * An attribute, sub-attribute or schema not defined for the resource type (draft-zollner-scim-interop-profile-01
   * §5.3).
   */
  | 'unknown-attributes'
  /**
   * A PATCH operation without a path, or with only the URN of the core schema
   * (draft-zollner-scim-interop-profile-01 §6.5.1.1).
   */
  | 'missing-path'
