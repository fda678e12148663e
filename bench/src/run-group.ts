/** Runs the benchmark group named by the first argument. */
const { run } = (await import(`./groups/${process.argv[2]}.ts`)) as { run: () => Promise<void> }
await run()
