import type { html } from 'hono/html'

/** Markup. `html` escapes every value in a placeholder, so data never becomes markup. */
export type Html = ReturnType<typeof html>

/** A part for a page: markup, a string or a number to escape, a list of parts, or nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]
