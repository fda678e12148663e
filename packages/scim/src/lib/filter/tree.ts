import type { AttributePath } from '../path/attribute-path.ts'

/** The comparison operators with a value (RFC 7644 §3.4.2.2, Table 3). `pr` is `Present`. */
export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/** The value that an attribute is compared with (`compValue` of RFC 7644 Figure 1). */
export type Value = string | number | boolean | null

/** `userName eq "bjensen"` */
export interface Compare {
  readonly type: 'compare'
  readonly path: AttributePath
  readonly operator: Operator
  readonly value: Value
}

/** `title pr` */
export interface Present {
  readonly type: 'present'
  readonly path: AttributePath
}

/** `a and b and c`: at least two operands. No operand is a `Logical` with the same operator. */
export interface Logical {
  readonly type: 'logical'
  readonly operator: 'and' | 'or'
  readonly operands: readonly Expression[]
}

/** `not (a)` */
export interface Not {
  readonly type: 'not'
  readonly operand: Expression
}

/** `emails[type eq "work"]`: the paths in the brackets are sub-attributes of `path`. */
export interface ValuePath {
  readonly type: 'valuePath'
  readonly path: AttributePath
  /** Contains no `ValuePath`. */
  readonly filter: Expression
}

/** A filter of RFC 7644 §3.4.2.2 as a tree of plain, readonly data. */
export type Expression = Compare | Present | Logical | Not | ValuePath

/**
 * The target of an operation (`PATH = attrPath / valuePath [subAttr]`, RFC 7644 §3.5.2).
 * With a `filter`, `attribute.subAttribute` is the name after the bracket, as in
 * `emails[type eq "work"].display`.
 */
export interface Path {
  readonly attribute: AttributePath
  /** The filter between the brackets; null without brackets. */
  readonly filter: Expression | null
}
