import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type AxeRules = string[] | { type: 'rule'; values: string[] }

/** Widths of windows in CSS pixels: a phone and a desktop. */
const WIDTHS = [1280, 390]
const SMALLEST_TARGET = 24

/**
 * Checks that everybody can use the page as it is: by the rules of axe in the window as it is, and by what each width
 * makes of the layout. The page is resized, not loaded again; its window is as before in the end.
 */
export async function isUsableByEverybody(page: Page, name: string, { dark = false } = {}): Promise<void> {
  const before = page.viewportSize()
  await layOutWhole(page)
  // A list that is being read again is pale for a moment.
  const hasNone = (where: string, rules?: AxeRules) =>
    expect.poll(() => violations(page, rules), { message: `what axe finds${where}: ${name}` })
  await hasNone('').toEqual([])
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // Charts follow the window a little later.
    await expect
      .poll(() => defects(page), { message: `what is wrong with the layout at ${width} px: ${name}` })
      .toEqual({ widerByPixels: 0, tooSmallForAFinger: [], cutOff: [], moving: [] })
  }
  if (dark) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await hasNone(' on a phone in the dark', { type: 'rule', values: ['color-contrast'] }).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  if (before) await page.setViewportSize(before)
}

async function defects(page: Page) {
  const [widerByPixels, tooSmallForAFinger, cutOff, moving] = await Promise.all([
    overflow(page),
    smallTargets(page),
    cutTexts(page),
    movements(page),
  ])
  return { widerByPixels, tooSmallForAFinger, cutOff, moving }
}

/** What is below the fold has no boxes until somebody comes near it (web/lib/in-page-links.ts). */
function layOutWhole(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.dataset.whole = ''
  })
}

/**
 * What axe-core finds, by rule, with the element and what is wrong with it: on the page, or in the dialog or menu that is
 * open, as what it covers is looked at without it. By all rules, unless some are named, by their tags or ids.
 */
export async function violations(page: Page, rules?: AxeRules): Promise<string[]> {
  // Not by a <script>, which the Content-Security-Policy would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const results = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const opened = [...document.querySelectorAll('dialog[open], [role="dialog"], [role="menu"]')].at(-1)
    // What passes need not be described.
    // It would post messages to frames, which a sandboxed one refuses with an error. Emails have a test of their own.
    return (await axe.run(opened ?? document, { resultTypes: ['violations'], runOnly, iframes: false })).violations
  }, rules)
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

/**
 * Texts that a box cuts off, with what is missing in CSS pixels. What can be scrolled or ends in an ellipsis is left out,
 * and so are maps, whose marks go over the edge.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const found: string[] = []
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement
      if (!text.textContent?.trim() || !parent || !isForReading(parent)) continue
      range.selectNodeContents(text)
      const missing = missingOf(range.getBoundingClientRect(), parent)
      if (missing > 0) found.push(`${text.textContent.trim()}: ${missing}`)
    }
    return found

    function isForReading(element: Element): boolean {
      return (
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
        !element.closest('[aria-hidden="true"], .leaflet-container')
      )
    }

    function missingOf(text: DOMRect, parent: Element): number {
      // A line may be lower than its letters could be.
      const tolerance = Number.parseFloat(getComputedStyle(parent).fontSize) / 3
      for (let element: Element | null = parent; element; element = element.parentElement) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
        const box = element.getBoundingClientRect()
        const canScroll = /auto|scroll/.test(`${overflowX} ${overflowY}`)
        const isForScreenReaders = box.width <= 1
        if (canScroll || isForScreenReaders || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return 0
        const across = overflowX === 'visible' ? 0 : Math.max(text.right - box.right, box.left - text.left)
        const down = overflowY === 'visible' ? 0 : Math.max(text.bottom - box.bottom, box.top - text.top) - tolerance
        if (Math.max(across, down) > 1) return Math.round(Math.max(across, down))
      }
      return 0
    }
  })
}

/** What is being animated, by its element. */
function movements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().map(({ effect }) => (effect as KeyframeEffect | null)?.target?.outerHTML ?? 'a timeline'),
  )
}

/** Notes the layout shifts of the pages that are opened from now on. @returns a function that sums them up */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0))
}
