export type { AttributePath } from '../path/attribute-path.ts'
export type { CompileOptions } from './compile.ts'
export type {
  Compare,
  Expression,
  Logical,
  Not,
  Operator,
  Present,
  Value,
  ValuePath,
} from './tree.ts'
