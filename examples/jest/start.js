/** Removes the reports of the previous run. */
import { mkdirSync, rmSync } from 'node:fs'

export default function start() {
  rmSync('reports', { recursive: true, force: true })
  mkdirSync('reports')
}
