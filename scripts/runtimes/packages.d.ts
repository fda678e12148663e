// Packages that are installed next to the runtimes only. The types are the parts that are used.
declare module '@vitest/expect' {
  type Plugin = (chai: unknown, utils: unknown) => void
  export const JestExtend: Plugin
  export const JestChaiExpect: Plugin
  export const JestAsymmetricMatchers: Plugin
  export const ASYMMETRIC_MATCHERS_OBJECT: symbol
  export const GLOBAL_EXPECT: symbol
  export const customMatchers: object
  export function setState(state: object, expect: unknown): void
}

declare module '@vitest/spy' {
  export function fn(implementation?: (...args: never[]) => unknown): unknown
  export function restoreAllMocks(): void
  export function spyOn(target: object, name: string): unknown
}

declare module 'chai' {
  export function use(plugin: (chai: unknown, utils: unknown) => void): void
  export const expect: {
    (value: unknown, message?: string): unknown
    readonly extend: (expect: unknown, matchers: object) => void
  }
}
