// Ends the programs of a process that has ended in any way: normally, by Ctrl-C, or by SIGKILL. Its standard input is a pipe
// from that process, so the end of the input is the end of the process. Each line is a note in JSON: { "watch": pid,
// "signal": name }, { "forget": pid }, or { "remove": folder }, which is deleted last.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const END_TIMEOUT = 10_000
const programs = new Map()
const folders = []

for await (const line of createInterface({ input: process.stdin })) {
  const { watch, signal, forget, remove } = JSON.parse(line)
  if (watch) programs.set(watch, signal)
  if (forget) programs.delete(forget)
  if (remove) folders.push(remove)
}

for (const [pid, signal] of programs) send(pid, signal)
for (const end = Date.now() + END_TIMEOUT; Date.now() < end && [...programs.keys()].some((pid) => send(pid, 0)); ) {
  await sleep(25)
}
for (const pid of programs.keys()) send(pid, 'SIGKILL')
for (const folder of folders) rmSync(folder, { recursive: true, force: true })

/** Returns whether the process existed. */
function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
