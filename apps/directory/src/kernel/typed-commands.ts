/** Whether this file was built: a checkout runs the TypeScript. */
const isInstalled = import.meta.url.endsWith('.js')

/** How users type the server's commands: `npx` runs the installed package, `npm` a checkout. */
export const TYPED = isInstalled
  ? {
      start: 'npx @plumbline/directory',
      /** Before an option, such as `--help`. */
      option: 'npx @plumbline/directory',
      /** Before an option, without the lines that npm prints. */
      silent: 'npx @plumbline/directory',
      seed: 'npx @plumbline/directory seed',
      seedOption: 'npx @plumbline/directory seed',
    }
  : {
      start: 'npm start',
      option: 'npm start --',
      silent: 'npm start --silent --',
      seed: 'npm run seed',
      seedOption: 'npm run seed --',
    }
