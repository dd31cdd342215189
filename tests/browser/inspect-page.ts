import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** In CSS pixels: a phone, a tablet, a desktop. */
const WIDTHS = [390, 768, 1440]
/** The narrowest and the widest window that nothing may stick out of. */
const EXTREMES = [320, 1920]
const SMALLEST_TARGET = 24

type Inspection = {
  name: string
  /** Brings the page into the state that is to be inspected. It is told the window's width. */
  prepare?(page: Page, width: number): Promise<unknown>
  /** Whether the state passes, so that it must be prepared at every width. */
  isShort?: boolean
}

/** Checks that everybody can use the page as it is, whatever their window, their eyes and their fingers. */
export async function isUsableByEverybody(page: Page, { name, prepare, isShort = false }: Inspection): Promise<void> {
  for (const width of [...WIDTHS, ...EXTREMES]) {
    await page.setViewportSize({ width, height: 900 })
    if (isShort || width === WIDTHS[0]) await prepare?.(page, width)
    await layOutWhole(page)
    if (WIDTHS.includes(width)) expect(await violations(page), `what axe finds at ${width} px`).toEqual([])
    expect(await overflow(page), `how far the page is wider than ${width} px`).toBe(0)
    expect(await smallTargets(page), `what is too small for a finger at ${width} px`).toEqual([])
    expect(await movements(page), 'what moves, although less motion was asked for').toEqual([])
    await takePicture(page, `${name} ${width}`)
  }
}

/** What is below the fold has no boxes until somebody comes near it (web/lib/whole-layout.ts). */
function layOutWhole(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.dataset.whole = ''
  })
}

/** What axe-core finds, by rule, with the element and what is wrong with it. */
export async function violations(page: Page): Promise<string[]> {
  // Not by a <script>, which the Content-Security-Policy would refuse.
  await page.evaluate(axe.source)
  const results = await page.evaluate(
    async () => (await (window as unknown as { axe: typeof axe }).axe.run()).violations,
  )
  return results.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

/**
 * What can be pressed and is smaller than 24 by 24 CSS pixels, with its size. Links in the flow of a sentence may be as
 * high as the line (WCAG 2.2, 2.5.8 Target Size).
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const targets = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
    return targets.filter(canBePressed).flatMap((target) => {
      const { width, height } = sizeOf(target)
      const isLargeEnough = width >= smallest && height >= smallest
      const words = target.textContent || target.getAttribute('name') || target.outerHTML
      return isLargeEnough || isInSentence(target) ? [] : `${words}: ${width} x ${height}`
    })

    // What only a screen reader sees is one pixel large until it has the focus.
    function canBePressed(target: HTMLElement): boolean {
      const { width } = target.getBoundingClientRect()
      return (
        target.checkVisibility({ visibilityProperty: true }) && width > 1 && !target.closest('[aria-hidden="true"]')
      )
    }

    /** A label belongs to its field: pressing it is the same. */
    function sizeOf(target: HTMLElement) {
      const boxes = [target, ...((target as HTMLInputElement).labels ?? [])].map((box) => box.getBoundingClientRect())
      const width = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left))
      const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top))
      return { width: Math.round(width), height: Math.round(height) }
    }

    function isInSentence(target: HTMLElement): boolean {
      const sentence = target.closest('p, li')?.textContent?.trim()
      return getComputedStyle(target).display === 'inline' && sentence !== target.textContent?.trim()
    }
  }, SMALLEST_TARGET)
}

/** What is being animated, by its element. */
export function movements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().map(({ effect }) => (effect as KeyframeEffect | null)?.target?.outerHTML ?? 'a timeline'),
  )
}

/** For whoever wants to look at the pages: `PICTURES=/tmp/pictures npm test -- tests/browser/pages.test.ts` */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
