import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second (USER_HZ), whatever the kernel's own clock. */
const TICK_MS = 10

/**
 * Returns the processor time in milliseconds that a process and its children have used, ended children included. Reads
 * Linux's /proc. Zero elsewhere.
 */
export function cpuTime(pid: number): number {
  const children = new Map<number, number[]>()
  const own = new Map<number, number>()
  for (const each of processes()) {
    const stat = statOf(each)
    if (!stat) continue
    own.set(each, stat.ticks)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), each])
  }
  const sum = (id: number): number =>
    (own.get(id) ?? 0) + (children.get(id) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(pid) * TICK_MS
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/** Reads fields 4 and 14 to 17 of /proc/pid/stat, counted after the name, which may contain blanks (proc(5)). */
function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    return { parent: fields[1] ?? 0, ticks }
  } catch {
    return null
  }
}
