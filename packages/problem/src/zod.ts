export { ISSUES_SCHEMA } from './lib/issues-zod.ts'
