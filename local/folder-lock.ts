import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from './plain-error.ts'
import { commandLine } from './processes.ts'

interface Holder {
  pid: number
  command: string
}

/**
 * Makes this process the only one that uses a folder, and creates the folder. What a killed process left is taken over:
 * a lock counts only while its pid runs the command that wrote it.
 * @returns the function that gives the folder back.
 * @throws PlainError while another process uses the folder.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'in-use.json')
  const mine = `${file}.${process.pid}`
  const me: Holder = { pid: process.pid, command: commandLine(process.pid) ?? '' }
  await writeFile(mine, JSON.stringify(me))
  try {
    await takeOver(folder, file, mine)
  } finally {
    await rm(mine, { force: true })
  }
  return () => rm(file, { force: true })
}

async function takeOver(folder: string, file: string, mine: string): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    try {
      // Unlike a write, a link shows the whole file at once: nobody reads a half-written lock and takes it for stale.
      return await link(mine, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readHolder(file)
    if (holder && holder.pid !== process.pid && commandLine(holder.pid) === holder.command) {
      throw new PlainError(
        `Leadwell is already running on the data in ${folder} (process ${holder.pid}). Stop that one first.`,
      )
    }
    await rm(file, { force: true })
  }
  throw new PlainError(`Another process keeps taking the folder ${folder}. Stop it, and start again.`)
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder
  } catch {
    return null
  }
}
