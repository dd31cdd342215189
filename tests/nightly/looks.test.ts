import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../browser/browser.ts'
import { submitButton } from '../browser/page-actions.ts'
import { createProvider } from '../support/factories.ts'

describeInBrowser('what stands close together', (site) => {
  it('keeps the ring around a field off the message below it', async () => {
    const page = await site.open('/', { width: 390 })
    await submitButton(page).click()
    const field = page.getByLabel('First Name', { exact: true })
    await expect.poll(() => field.evaluate((input) => input.matches(':focus-visible'))).toBe(true)
    const ring = await field.evaluate((input) => {
      const { outlineWidth, outlineOffset } = getComputedStyle(input)
      return input.getBoundingClientRect().bottom + Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
    })
    const message = await topOfText(page.getByText('First name is required', { exact: true }))
    expect(message - ring).toBeGreaterThanOrEqual(3)
  })

  it('keeps the marks of the dial off the words beside it, and the words off its disc', async () => {
    for (const { path, width, words, part = 'marks' } of [
      { path: '/', width: 320, words: 'h1', part: 'disc' as const },
      { path: '/', width: 768, words: 'h1' },
      { path: '/', width: 1440, words: 'h1' },
      { path: '/homev2', width: 320, words: 'h1' },
      { path: '/homev2', width: 390, words: 'h1' },
      { path: '/homev2', width: 768, words: 'h1' },
      { path: '/start', width: 390, words: 'main ul' },
    ]) {
      const page = await site.open(path, { width })
      expect(await touching(page, words, part), `${path} at ${width}`).toEqual([])
    }
  })

  it('has the margins of the page', async () => {
    const clinics = await site.open('/clinics', { width: 320 })
    expect(await right(clinics.locator('h1'))).toBeLessThanOrEqual(320 - 16)

    const { id } = await createProvider(site.db, { practice_name: 'Quill Men’s Medical Center', logo_url: null })
    const narrow = await site.open(`/microsite?providerId=${id}`, { width: 320 })
    const header = await narrow.locator('header').boundingBox()
    expect(header?.height).toBeLessThanOrEqual(65)
    const wide = await site.open(`/microsite?providerId=${id}`, { width: 768 })
    expect(await right(wide.locator('#provider-form'))).toBeCloseTo(
      await right(wide.locator('header').getByRole('link', { name: 'Find a Provider' })),
      0,
    )
  })

  it('begins the cards of a thank-you page on one line', async () => {
    for (const query of ['noProvider=true', 'inReview=true', '']) {
      const page = await site.open(`/success?${query}`, { width: 1440 })
      const [first, second] = await page.getByRole('main').getByRole('heading', { level: 2 }).all()
      const tops = await Promise.all([first, second].map(async (heading) => (await heading?.boundingBox())?.y))
      // One card has a border.
      expect(Math.abs(Number(tops[0]) - Number(tops[1])), query).toBeLessThanOrEqual(1)
    }
  })
})

/** The upper edge of the letters, not of the line. */
function topOfText(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const line = range.getBoundingClientRect()
    const { font } = getComputedStyle(element)
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    context.font = font
    const { actualBoundingBoxAscent, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('First')
    const baseline =
      line.top + (line.height - fontBoundingBoxAscent - fontBoundingBoxDescent) / 2 + fontBoundingBoxAscent
    return baseline - actualBoundingBoxAscent
  })
}

async function right(element: Locator): Promise<number> {
  const box = await element.first().boundingBox()
  return (box?.x ?? Number.NaN) + (box?.width ?? 0)
}

/** Returns where lines of words are that lie on the disc of a dial, or that its marks go through. */
function touching(page: Page, words: string, part: 'disc' | 'marks'): Promise<string[]> {
  return page.evaluate(
    ([selector, of]) => {
      const range = document.createRange()
      const lines = [...document.querySelectorAll(selector)].flatMap((element) => {
        range.selectNodeContents(element)
        return [...range.getClientRects()]
      })
      const circles = [...document.querySelectorAll<SVGCircleElement>('main svg circle')].filter((circle) =>
        of === 'disc'
          ? circle.getAttribute('fill') === 'url(#orb-disc)'
          : Number(circle.getAttribute('stroke-width')) > 10,
      )
      return circles.flatMap((circle) => {
        const box = circle.getBoundingClientRect()
        // With the room that marks need around them.
        const radius = box.width / 2 + (of === 'marks' ? 12 : 0)
        return lines
          .filter(({ left, right, top, bottom }) => {
            // The letters, without the room above and below them.
            const room = (bottom - top) / 4
            const distances = [left, right].flatMap((x) =>
              [top + room, bottom - room].map((y) =>
                Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2),
              ),
            )
            const isPartlyInside = Math.min(...distances) < radius
            return of === 'disc' ? isPartlyInside : isPartlyInside && Math.max(...distances) > radius
          })
          .map(({ top }) => `${of} at ${Math.round(top)}`)
      })
    },
    [words, part] as const,
  )
}
