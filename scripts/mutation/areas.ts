/** The areas of `npm run mutate`: the sources that are mutated and the tests that have to notice. */
export interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

export const AREAS: Readonly<Record<string, Area>> = {
  result: library('result'),
  problem: library('problem'),
  openapi: library('openapi'),
  scim: library('scim'),
  'directory/store': app('store'),
  'directory/scim': app('scim'),
  'directory/api': app('api'),
  'directory/auth': {
    sources: ['apps/directory/src/auth.ts', 'apps/directory/src/app.ts'],
    tests: ['apps/directory/test/**/*.test.ts'],
  },
}

function library(name: string): Area {
  const folder = `packages/${name}`
  return { sources: [`${folder}/src/**/*.ts`], tests: [`${folder}/**/*.test.ts`] }
}

function app(folder: string): Area {
  return {
    sources: [`apps/directory/src/${folder}/**/*.ts`],
    tests: ['apps/directory/test/**/*.test.ts'],
  }
}
