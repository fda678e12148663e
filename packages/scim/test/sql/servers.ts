/** The address of a database server for the tests. */
export function addressOf(name: string): string {
  const address = process.env[name]
  if (!address) throw new Error(`${name} must name a server; see .ci/servers`)
  return address
}
