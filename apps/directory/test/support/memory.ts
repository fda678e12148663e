import { readFileSync, writeFileSync } from 'node:fs'

/** The most memory (MB) that a process has occupied since `forgetPeak`, or since its start. */
export function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}

/** Makes the memory that a process occupies now its peak (proc(5), `clear_refs`). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
