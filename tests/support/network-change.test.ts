import { EventEmitter } from 'node:events'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { watchPages } from '../browser/watch-pages.ts'
import { surviveNetworkChanges } from './network-change.ts'

// No browser can be made to say this by Playwright or by its protocol, so these are tests of our side alone.
const CHANGED = new Error('page.goto: net::ERR_NETWORK_CHANGED at http://localhost:3000/')

it('navigates once more when the network interfaces changed', async () => {
  const goto = vi.fn(async (_path: string) => 'the answer').mockRejectedValueOnce(CHANGED)
  const reload = vi.fn(async () => 'the same again').mockRejectedValueOnce(CHANGED)
  const page = { goto, reload } as unknown as Page
  surviveNetworkChanges(page)
  expect(await page.goto('/map')).toBe('the answer')
  expect(goto.mock.calls).toEqual([['/map'], ['/map']])
  expect(await page.reload()).toBe('the same again')
  expect(reload).toHaveBeenCalledTimes(2)
})

it('fails when they change again, and at once for any other reason', async () => {
  const refused = new Error('page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/')
  const goto = vi.fn().mockRejectedValueOnce(CHANGED).mockRejectedValueOnce(CHANGED).mockRejectedValueOnce(refused)
  const page = { goto, reload: vi.fn() } as unknown as Page
  surviveNetworkChanges(page)
  await expect(page.goto('/')).rejects.toThrow(CHANGED)
  await expect(page.goto('/')).rejects.toThrow(refused)
  expect(goto).toHaveBeenCalledTimes(3)
})

it('does not take what the console says of it for a problem of the page', async () => {
  const context = Object.assign(new EventEmitter(), { addInitScript: async () => {} })
  const problems = await watchPages(context as unknown as BrowserContext, 'http://localhost:3000')
  for (const reason of ['NETWORK_CHANGED', 'CONNECTION_REFUSED']) {
    const text = `Failed to load resource: net::ERR_${reason}`
    context.emit('console', { type: () => 'error', text: () => text })
  }
  expect(problems).toEqual(['console: Failed to load resource: net::ERR_CONNECTION_REFUSED'])
})
