import { expect, it, onTestFinished } from 'vitest'
import type { Logger } from '../../../core/platform/log.ts'
import { serveMetrics } from '../../../core/platform/process.ts'
import { freePort } from '../../../local/ports.ts'
import { waitFor } from '../../support/wait.ts'

it('answers 500 and says so in the log when a reading fails, and goes on', async () => {
  const port = await freePort()
  const lines: unknown[] = []
  let isReady = false
  const log = { info: () => (isReady = true), error: (line: unknown) => lines.push(line) } as unknown as Logger
  let fault: Error | null = new Error('no gauge of that name')
  const reading = async () => {
    if (fault) throw fault
  }
  onTestFinished(serveMetrics({ METRICS_PORT: { host: '127.0.0.1', port } }, log, [reading]))
  await waitFor('the port', () => isReady)
  const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`)

  expect((await scrape()).status).toBe(500)
  expect(lines).toEqual([{ err: fault }])

  fault = null
  const answer = await scrape()
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('process_cpu_seconds_total')
})
