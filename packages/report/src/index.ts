export { type BadgeKind, badge } from './lib/badge.ts'
export { type JunitCase, type JunitReport, type JunitSuite, writeJunit } from './lib/junit.ts'
export { html, type Markup } from './lib/markup.ts'
export { writePage } from './lib/page.ts'
