import type { AttributePath } from '../path/attribute-path.ts'

/** Comparison operators with a value (RFC 7644 §3.4.2.2, Table 3). `pr` is `Present`. */
export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/** The value to compare with (`compValue` in RFC 7644 Figure 1). */
export type Value = string | number | boolean | null

/** A comparison, such as `userName eq "bjensen"` (RFC 7644 §3.4.2.2). */
export interface Compare {
  /** This expression's kind. */
  readonly type: 'compare'
  /** The attribute to compare. */
  readonly path: AttributePath
  /** The comparison operator. */
  readonly operator: Operator
  /** The value to compare with. */
  readonly value: Value
}

/** A test for a value, such as `title pr` (RFC 7644 §3.4.2.2). */
export interface Present {
  /** This expression's kind. */
  readonly type: 'present'
  /** The attribute that must have a value. */
  readonly path: AttributePath
}

/** `a and b and c` (RFC 7644 §3.4.2.2): at least two operands. No operand is a `Logical` with the same operator. */
export interface Logical {
  /** This expression's kind. */
  readonly type: 'logical'
  /** Whether all operands must match, or at least one. */
  readonly operator: 'and' | 'or'
  /** The operands, in filter order. */
  readonly operands: readonly Expression[]
}

/** A negation, such as `not (title pr)` (RFC 7644 §3.4.2.2). */
export interface Not {
  /** This expression's kind. */
  readonly type: 'not'
  /** The expression that must not match. */
  readonly operand: Expression
}

/** `emails[type eq "work"]` (RFC 7644 §3.4.2.2): paths in the brackets are sub-attributes of `path`. */
export interface ValuePath {
  /** This expression's kind. */
  readonly type: 'valuePath'
  /** The multi-valued or complex attribute whose values are tested. */
  readonly path: AttributePath
  /** Contains no `ValuePath`. */
  readonly filter: Expression
}

/** A filter (RFC 7644 §3.4.2.2) as a tree of plain, readonly data. */
export type Expression = Compare | Present | Logical | Not | ValuePath

/**
 * A PATCH operation's target (`PATH = attrPath / valuePath [subAttr]`, RFC 7644 §3.5.2). With a `filter`,
 * `attribute.subAttribute` is the name after the bracket, as in `emails[type eq "work"].display`.
 */
export interface Path {
  /** The attribute or sub-attribute, or a schema's URN. */
  readonly attribute: AttributePath
  /** The filter between the brackets; null without brackets. */
  readonly filter: Expression | null
}
