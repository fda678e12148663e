/**
 * A request rejected with `400 invalidSyntax` although the standard permits it, off by default. Each name
 * documents the profile that asks for it.
 */
export type Rejection =
  /**
   * An attribute, a sub-attribute or a schema that no definition of the resource type contains
   * (draft-zollner-scim-interop-profile-01 §5.3).
   */
  | 'unknown-attributes'
  /** A PATCH operation without a path (draft-zollner-scim-interop-profile-01 §6.5.1.1). */
  | 'missing-path'
