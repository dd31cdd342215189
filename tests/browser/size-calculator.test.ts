import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { texts } from '../../core/brand/texts.ts'
import { describeInBrowser } from './browser.ts'
import { focused } from './form-actions.ts'
import { boxOf, comesAlive } from './page-actions.ts'

const questions = texts.questions()

describeInBrowser('on the landing page', (site) => {
  it('the size calculator is moved by every key, in steps of a tenth, and stops at its limits', async () => {
    const page = await site.open('/')
    const [length, girth] = [slider(page, 'length'), slider(page, 'girth')]
    await comesAlive(length)
    await shows(page, ['5.16', '6.20', '4.59', '5.13'])
    for (const [key, current, projected] of [
      ['ArrowRight', '5.20', '6.24'],
      ['ArrowUp', '5.30', '6.34'],
      ['PageUp', '5.80', '6.84'],
      ['ArrowLeft', '5.70', '6.74'],
      ['ArrowDown', '5.60', '6.64'],
      ['PageDown', '5.10', '6.14'],
      ['End', '8.00', '9.04'],
      ['ArrowRight', '8.00', '9.04'],
      ['Home', '3.00', '4.04'],
      ['ArrowLeft', '3.00', '4.04'],
    ] as const) {
      await length.press(key)
      await shows(page, [current, projected, '4.59', '5.13'])
    }
    expect(await length.getAttribute('aria-valuetext')).toBe('3.00 inches, projected 4.04 inches after 6 months')
    await girth.press('End')
    await shows(page, ['3.00', '4.04', '7.00', '7.54'])
    await girth.press('Home')
    await shows(page, ['3.00', '4.04', '3.00', '3.54'])
  })

  it('the size calculator follows the pointer while it moves, in steps of a tenth', async () => {
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

  it('the scale of months and the calculator move once, when the visitor comes to them', async () => {
    const page = await site.open('/', { context: { reducedMotion: 'no-preference' } })
    await comesAlive(slider(page, 'length'))
    await page.locator('html[data-whole]').waitFor()
    for (const section of ['#how-it-works', '#size-calculator']) {
      const moving = page.locator(`${section} [data-motion]`)
      await expect.poll(() => moving.getAttribute('data-motion')).toBe('waiting')
      const bar = moving.locator('.grow-x').first()
      expect((await boxOf(bar)).width).toBe(0)
      await moving.evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }))
      await expect.poll(() => moving.getAttribute('data-motion')).toBe('moving')
      await expect.poll(async () => (await boxOf(bar)).width).toBeGreaterThan(20)
    }
  })

  it('nothing moves for a visitor who prefers reduced motion, as every visitor of these tests', async () => {
    const page = await site.open('/')
    await comesAlive(slider(page, 'length'))
    await page.locator('#size-calculator .grow-x').first().scrollIntoViewIfNeeded()
    expect(await page.locator('[data-motion]').count()).toBe(0)
  })

  it('one question at most is open, by a click or by the keyboard, and a link leads to the form', async () => {
    const page = await site.open('/')
    const summaries = page.locator('#faq summary')
    expect(await summaries.allTextContents()).toEqual(questions.map(({ question }) => question))
    expect(await openAnswers(page)).toEqual([])
    for (const { question, answer } of questions) {
      await page.locator('#faq').getByText(question, { exact: true }).click()
      await expect.poll(() => openAnswers(page)).toEqual([answer])
    }
    await summaries.last().click()
    await expect.poll(() => openAnswers(page)).toEqual([])

    await summaries.first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => openAnswers(page)).toEqual([questions[0]?.answer])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => openAnswers(page)).toEqual([questions[1]?.answer])
    await page.keyboard.press('Space')
    await expect.poll(() => openAnswers(page)).toEqual([])

    await page.locator('#faq').getByRole('link', { name: 'Find Out If You Qualify!' }).click()
    await expect.poll(() => focused(page)).toBe('first_name')
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

function openAnswers(page: Page): Promise<string[]> {
  return page.locator('#faq details[open] > p').allInnerTexts()
}
