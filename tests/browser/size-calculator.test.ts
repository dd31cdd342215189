import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { questions } from '../../web/features/landing/questions.ts'
import { describeInBrowser } from './browser.ts'
import { boxOf, comesAlive } from './page-actions.ts'

describeInBrowser('on the landing page', (site) => {
  describe('the size calculator', () => {
    it.each([
      { how: 'with JavaScript', javaScriptEnabled: true },
      { how: "in the server's HTML", javaScriptEnabled: false },
    ])('starts with the average man, $how', async ({ javaScriptEnabled }) => {
      const page = await site.open('/', { context: { javaScriptEnabled } })
      if (javaScriptEnabled) await comesAlive(slider(page, 'length'))
      expect(await readings(page)).toEqual(['5.16', '6.20', '4.59', '5.13'])
      expect(await limits(slider(page, 'length'))).toEqual(['3', '8'])
      expect(await limits(slider(page, 'girth'))).toEqual(['3', '7'])
      await page
        .getByText(/Over 6 months, the projection adds 1\.04 inches in length and 0\.54 inches in girth/)
        .waitFor()
    })

    it.each([
      { key: 'ArrowRight', length: ['5.20', '6.24'], girth: ['4.60', '5.14'] },
      { key: 'ArrowUp', length: ['5.20', '6.24'], girth: ['4.60', '5.14'] },
      { key: 'ArrowLeft', length: ['5.10', '6.14'], girth: ['4.50', '5.04'] },
      { key: 'ArrowDown', length: ['5.10', '6.14'], girth: ['4.50', '5.04'] },
      { key: 'PageUp', length: ['5.60', '6.64'], girth: ['5.00', '5.54'] },
      { key: 'PageDown', length: ['4.70', '5.74'], girth: ['4.10', '4.64'] },
      { key: 'Home', length: ['3.00', '4.04'], girth: ['3.00', '3.54'] },
      { key: 'End', length: ['8.00', '9.04'], girth: ['7.00', '7.54'] },
    ])('is moved by $key', async ({ key, length, girth }) => {
      const page = await site.open('/')
      await comesAlive(slider(page, 'length'))
      await slider(page, 'length').press(key)
      await shows(page, [...length, '4.59', '5.13'])
      await slider(page, 'girth').press(key)
      await shows(page, [...length, ...girth])
    })

    it('follows every step, says it, and stops at its limits', async () => {
      const page = await site.open('/')
      const length = slider(page, 'length')
      await comesAlive(length)
      expect(await length.getAttribute('aria-valuetext')).toBe('5.16 inches, projected 6.20 inches after 6 months')

      for (const [current, projected] of [
        ['5.20', '6.24'],
        ['5.30', '6.34'],
        ['5.40', '6.44'],
      ] as const) {
        await length.press('ArrowRight')
        await shows(page, [current, projected, '4.59', '5.13'])
        expect(await length.getAttribute('aria-valuetext')).toBe(
          `${current} inches, projected ${projected} inches after 6 months`,
        )
        expect(await length.getAttribute('step')).toBe('0.1')
      }
      for (const [key, current, projected] of [
        ['End', '8.00', '9.04'],
        ['ArrowRight', '8.00', '9.04'],
        ['ArrowLeft', '7.90', '8.94'],
        ['Home', '3.00', '4.04'],
        ['ArrowLeft', '3.00', '4.04'],
      ] as const) {
        await length.press(key)
        await shows(page, [current, projected, '4.59', '5.13'])
      }
    })

    it('follows the pointer while it moves, in steps of a tenth', async () => {
      const page = await site.open('/')
      const girth = slider(page, 'girth')
      await comesAlive(girth)
      await girth.scrollIntoViewIfNeeded()
      const { top, height, width } = await boxOf(girth)
      const left = await girth.evaluate((element) => element.getBoundingClientRect().left)
      const seen = new Set<string>()

      await page.mouse.move(left + width / 2, top + height / 2)
      await page.mouse.down()
      for (const part of [0.5, 0.6, 0.7, 0.8, 0.9]) {
        await page.mouse.move(left + width * part, top + height / 2)
        const value = await girth.inputValue()
        const projected = (Number(value) + 0.54).toFixed(2)
        expect(value).toMatch(/^\d(\.\d)?$/)
        await shows(page, ['5.16', '6.20', Number(value).toFixed(2), projected])
        seen.add(value)
      }
      await page.mouse.up()
      expect(seen.size).toBe(5)
    })
  })

  describe('the FAQ', () => {
    it('has five questions, of which at most one is open', async () => {
      const page = await site.open('/')
      const summaries = page.locator('#faq summary')
      expect(await summaries.allTextContents()).toEqual(questions.map(({ question }) => question))
      expect(questions).toHaveLength(5)
      expect(await openAnswers(page)).toEqual([])

      for (const { question, answer } of questions) {
        await page.locator('#faq').getByText(question, { exact: true }).click()
        await expect.poll(() => openAnswers(page)).toEqual([answer])
      }
      await summaries.last().click()
      await expect.poll(() => openAnswers(page)).toEqual([])
    })

    it('is opened and closed by the keyboard', async () => {
      const page = await site.open('/')
      await page.locator('#faq summary').first().focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => openAnswers(page)).toEqual([questions[0]?.answer])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect.poll(() => openAnswers(page)).toEqual([questions[1]?.answer])
      await page.keyboard.press('Space')
      await expect.poll(() => openAnswers(page)).toEqual([])
    })

    it('ends with a link to the form', async () => {
      const page = await site.open('/')
      await page.locator('#faq').getByRole('link', { name: 'Find Out If You Qualify!' }).click()
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('provider-form')
    })
  })
})

function slider(page: Page, measure: 'length' | 'girth'): Locator {
  return page.getByRole('slider', { name: `Current ${measure}` })
}

/** Length, projected length, girth, projected girth. */
async function readings(page: Page): Promise<string[]> {
  const texts = await page.locator('#size-calculator output').allTextContents()
  return texts.map((text) => text.replace('in', ''))
}

async function shows(page: Page, expected: string[]): Promise<void> {
  await expect.poll(() => readings(page)).toEqual(expected)
}

async function limits(input: Locator): Promise<(string | null)[]> {
  return [await input.getAttribute('min'), await input.getAttribute('max')]
}

function openAnswers(page: Page): Promise<string[]> {
  return page.locator('#faq details[open] > p').allInnerTexts()
}
