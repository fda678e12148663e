/** Runs the benchmark group the first argument names. */
const { run } = (await import(`./groups/${process.argv[2]}.ts`)) as { run: () => Promise<void> }
await run()
