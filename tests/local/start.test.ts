import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { CrmEvent } from '../../local/crm-stand-in.ts'
import type { Mail } from '../../local/mail-inbox.ts'
import { freePort } from '../../local/ports.ts'
import { commandLine } from '../../local/process.ts'
import { waitFor } from '../support/wait.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PATIENCE = { within: 150_000 }

describe('npm start', () => {
  let dataDir: string
  let port: number
  let run: Run
  beforeAll(async () => {
    dataDir = await temporaryFolder()
    port = await freePort()
    run = start({ DATA_DIR: dataDir, PORT: String(port) })
    await run.isUp()
  }, 180_000)
  afterAll(() => run.end('SIGKILL'))

  test('shows its steps and addresses, without control codes where there is no terminal', () => {
    expect(run.output()).toMatch(/✓ 88 demo providers added/)
    expect(run.output()).toContain(`http://localhost:${port}/admin`)
    expect(run.output()).not.toContain('\x1b')
  })

  test('delivers a lead to the inbox and the CRM', async () => {
    await expectDelivery(run, port)
  })

  test('says which process died, and starts it again', async () => {
    const { Worker } = await processes()
    process.kill(Worker.pid, 'SIGKILL')
    await waitFor('word of it', () => run.output().includes('Worker has ended (signal SIGKILL'))
    await waitFor('another worker', async () => (await processes()).Worker.pid !== Worker.pid)
  })

  test('refuses a second start on the same data, in a sentence', async () => {
    const second = start({ DATA_DIR: dataDir, PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toMatch(/^Leadwell is already running on the data in /)
  })

  test('recovers from its own kill: what is left is ended, and the data is there', async () => {
    const left = Object.values(await processes())
    await run.end('SIGKILL')
    run = start({ DATA_DIR: dataDir, PORT: String(port) })
    await run.isUp()

    expect(left.map(({ pid }) => commandLine(pid))).toEqual([null, null])
    expect(run.output()).toContain('Providers are there already')
    expect(await mailsOfForm(run)).toHaveLength(2)
  }, 180_000)

  test('stops everything on SIGTERM', async () => {
    const started = Object.values(await processes())
    expect(await run.end('SIGTERM')).toBe(0)
    expect(started.map(({ pid }) => commandLine(pid))).toEqual([null, null])
    const postmaster = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => null)
    expect(postmaster).toBeNull()
  })

  test('names an occupied port and another one, and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port: taken } = other.address() as { port: number }
    const refused = start({ DATA_DIR: dataDir, PORT: String(taken) })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(new RegExp(`Port ${taken} is taken .* PORT=\\d+ npm start`))
    expect(refused.output()).not.toContain('✓')
    other.close()
  })

  test('lists every wrong setting before it starts anything', async () => {
    const refused = start({ DATA_DIR: dataDir, TEAM_EMAIL: 'nobody', SMTP_URL: 'mail' })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(/SMTP_URL[\s\S]*TEAM_EMAIL/)
  })

  async function processes(): Promise<Record<'API' | 'Worker', { pid: number }>> {
    const noted = async (name: string) => JSON.parse(await readFile(join(dataDir, `${name}.pid.json`), 'utf8'))
    return { API: await noted('api'), Worker: await noted('worker') }
  }
})

test('npm start without a redis-server delivers a lead all the same, with its queue on PostgreSQL', async () => {
  const programs = await temporaryFolder()
  await writeFile(join(programs, 'redis-server'), '#!/bin/sh\nexit 127\n', { mode: 0o755 })
  const port = await freePort()
  const PATH = `${programs}:${process.env.PATH}`
  const run = start({ DATA_DIR: await temporaryFolder(), PORT: String(port), PATH })
  onTestFinished(() => void run.end('SIGKILL'))
  onTestFailed(() => console.error(run.output()))
  await run.isUp()
  expect(run.output()).toContain('Queue on PostgreSQL, as there is no redis-server on the PATH')
  await expectDelivery(run, port)
  expect(await run.end('SIGTERM')).toBe(0)
}, 180_000)

/** Sends a form, and waits until both emails and the CRM's event have arrived. */
async function expectDelivery(run: Run, port: number): Promise<void> {
  const answer = await fetch(`http://localhost:${port}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'start-test' },
    body: JSON.stringify(LEAD),
  })
  expect(await answer.json()).toMatchObject({ id: expect.any(Number), providerId: expect.any(Number) })

  await waitFor('two mails', async () => (await mailsOfForm(run)).length === 2)
  const [event] = await waitFor('the lead in the CRM', async () => {
    const events = await run.list<CrmEvent>('CRM', '/api/events')
    return events.length > 0 && events
  })
  expect(event).toMatchObject({ type: 'lead.created', payload: { data: { lead: { email: LEAD.email } } } })
}

const LEAD = {
  first_name: 'Maria',
  last_name: 'Lopez',
  email: 'maria@visitor.example',
  phone: '(512) 555-0133',
  zip_code: '78704',
  acceptance_consent: true,
  acceptance_message: CONSENT.form.wording,
}

interface Run {
  child: ChildProcess
  output(): string
  isUp(): Promise<unknown>
  /** Lists what a stand-in of this name has got. */
  list<T>(name: string, path: string): Promise<T[]>
  ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Only the given settings: those of the shell must not leak in. */
function start(env: Record<string, string>): Run {
  const child = spawn(process.execPath, ['local/start.mjs'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    output: () => output,
    isUp: () => waitFor('the table of addresses', () => output.includes('Ctrl-C stops everything'), PATIENCE),
    async list(name, path) {
      const [, address] = new RegExp(`${name} +(http://\\S+)`).exec(output) ?? []
      return (await fetch(`${address}${path}`)).json()
    },
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Lists the emails of a form. The demo's leads bring the weekly report, too. */
async function mailsOfForm(run: Run): Promise<Mail[]> {
  const mails = await run.list<Mail>('Mail inbox', '/api/messages')
  return mails.filter(({ subject }) => !/ leads?, \d+ booked$/.test(subject))
}
