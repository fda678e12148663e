/** The comparison operators that take a value (RFC 7644 §3.4.2.2, Table 3); `pr` is `Present`. */
export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/** What an attribute is compared with (`compValue` of RFC 7644 Figure 1). */
export type Value = string | number | boolean | null

/** The name of an attribute as a client wrote it: letter case is kept, and does not matter. */
export interface AttributePath {
  /** The schema URN that qualifies the name, without the last colon. */
  readonly schema: string | null
  readonly attribute: string
  readonly subAttribute: string | null
}

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

/** `a and b and c`: two operands or more, none of them a `Logical` of the same operator. */
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

/** `emails[type eq "work"]`: the paths inside are sub-attributes of the one outside. */
export interface ValuePath {
  readonly type: 'valuePath'
  readonly path: AttributePath
  /** Holds no `ValuePath`. */
  readonly filter: Expression
}

/** A filter of RFC 7644 §3.4.2.2 as a tree of plain, readonly data. */
export type Expression = Compare | Present | Logical | Not | ValuePath
