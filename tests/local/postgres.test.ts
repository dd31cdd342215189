import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../local/postgres.ts'
import { commandLine, isGone } from '../../local/process.ts'
import { runUntilLine } from './run-and-kill.ts'
import { temporaryFolder } from './temporary-folder.ts'

const START = `
  const { startPostgres } = await import(local + 'postgres.ts')
  const { url, pid } = await startPostgres({ dataDir: process.env.FOLDER })
  console.log(JSON.stringify({ url, pid }))
  setInterval(() => {}, 1000)`

describe('our own PostgreSQL', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = join(await temporaryFolder(), 'postgres')
  })

  test('starts over after a crash in the middle of making its data', async () => {
    await mkdir(join(dataDir, 'cluster.half', 'base'), { recursive: true })
    await writeFile(join(dataDir, 'cluster.half', 'PG_VERSION'), '')

    const server = await startPostgres({ dataDir })
    await query(server.url, 'create table kept (word text)')
    await query(server.url, "insert into kept values ('before')")
    await server.stop()
    expect(commandLine(server.pid)).toBeNull()
  })

  test('refuses, in a sentence, data that another process uses', async () => {
    const other = await runUntilLine(START.replace('process.env.FOLDER', JSON.stringify(dataDir)))
    await expect(startPostgres({ dataDir })).rejects.toThrow(
      /^Leadwell is already running on the data in .* \(process \d+\)/,
    )
    await other.kill()
  })

  test('ends when its starter is killed, and keeps its data', async () => {
    const killed = await runUntilLine(START.replace('process.env.FOLDER', JSON.stringify(dataDir)))
    const { url, pid } = JSON.parse(killed.line)
    await query(url, "insert into kept values ('killed')")
    await killed.kill()
    expect(await isGone(pid, 10_000)).toBe(true)

    const server = await startPostgres({ dataDir })
    expect(await query(server.url, 'select word from kept order by word')).toEqual([
      { word: 'before' },
      { word: 'killed' },
    ])
    await server.stop()
  })

  test('says when the server itself is killed, and starts again on its data', async () => {
    const server = await startPostgres({ dataDir })
    process.kill(server.pid, 'SIGKILL')
    expect(await server.exited).toBe('signal SIGKILL')

    const again = await startPostgres({ dataDir, port: server.port })
    expect(await query(again.url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }])
    await again.stop()
  })

  test('starts although its old pid now belongs to another program', async () => {
    await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'cluster')}\n`)
    const server = await startPostgres({ dataDir })
    await server.stop()
  })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
