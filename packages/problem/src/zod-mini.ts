export type { ConvertedZodMini } from './lib/zod-mini.ts'
export { toStandardJsonSchema } from './lib/zod-mini.ts'
