export type { CompileOptions } from './compile.ts'
export type {
  AttributePath,
  Compare,
  Expression,
  Logical,
  Not,
  Operator,
  Present,
  Value,
  ValuePath,
} from './tree.ts'
