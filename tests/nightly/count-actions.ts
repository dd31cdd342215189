import type { Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'

/** What a job takes. A text that is typed counts once, however long it is. */
export type Effort = { clicks: number; keys: number; texts: number; screens: number }

/** Uses a page as a person does. Each method counts. */
export type Hand = {
  click(target: Locator, options?: Parameters<Locator['click']>[0]): Promise<void>
  /** Chooses from a list of the browser: one click opens it, another one chooses. */
  choose(list: Locator, label: string): Promise<void>
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
}

type Job = {
  name: string
  page: Page
  /**
   * The most that it may take. Of clicks, keys and texts, what is left out may not be used at all. `screens` is how far the
   * page is scrolled, in heights of the window; without it, that is not measured.
   */
  most: Partial<Effort>
}

/** Returns a function that does a job and checks what it takes. All jobs of the file are printed as a table at its end. */
export function countJobs(title: string) {
  const rows: string[] = []
  afterAll(() => {
    console.log([`\n${title}\n`, '| job | takes |', '|---|---|', ...rows].join('\n'))
  })

  return async function doJob({ name, page, most }: Job, act: (hand: Hand) => Promise<unknown>): Promise<void> {
    const effort: Effort = { clicks: 0, keys: 0, texts: 0, screens: 0 }
    await act(handOf(page, effort, most.screens !== undefined))
    rows.push(`| ${name} | ${inWords(effort)} |`)
    for (const kind of ['clicks', 'keys', 'texts'] as const) {
      expect(effort[kind], `${kind} to ${name}`).toBeLessThanOrEqual(most[kind] ?? 0)
    }
    expect(effort.screens, `screens to ${name}`).toBeLessThanOrEqual(most.screens ?? 0)
  }
}

function handOf(page: Page, effort: Effort, isScrollCounted: boolean): Hand {
  const place = () => page.evaluate(() => ({ page: location.pathname, y: scrollY, height: innerHeight }))

  /** Acts, and adds how far the page was scrolled by it. A new page starts at 0. */
  async function scrollingTo(act: () => Promise<unknown>): Promise<void> {
    if (!isScrollCounted) return void (await act())
    const from = await place()
    await act()
    const to = await place().catch(() => undefined)
    if (to?.page === from.page) effort.screens += Math.abs(to.y - from.y) / from.height
  }

  return {
    async click(target, options) {
      effort.clicks += 1
      await scrollingTo(() => target.click(options))
    },
    async choose(list, label) {
      effort.clicks += 2
      await list.selectOption({ label })
    },
    async press(...keys) {
      for (const key of keys) {
        effort.keys += 1
        await page.keyboard.press(key)
      }
    },
    async type(text) {
      effort.texts += 1
      await page.keyboard.type(text)
    },
  }
}

function inWords({ clicks, keys, texts, screens }: Effort): string {
  const parts = [
    clicks > 0 && `${clicks} ${clicks === 1 ? 'click' : 'clicks'}`,
    keys > 0 && `${keys} ${keys === 1 ? 'key' : 'keys'}`,
    texts > 0 && `${texts} ${texts === 1 ? 'text' : 'texts'} typed`,
    screens > 0 && `${screens.toFixed(1)} screens scrolled`,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing: it is shown'
}
