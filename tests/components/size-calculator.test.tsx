import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { SizeCalculator } from '../../web/site/size-calculator/size-calculator.tsx'

beforeEach(() => {
  render(<SizeCalculator />)
})

describe('the size calculator', () => {
  it('starts with the average man, within its limits', () => {
    expect(readings()).toEqual(['5.16', '6.20', '4.59', '5.13'])
    expect([slider('length').min, slider('length').max]).toEqual(['3', '8'])
    expect([slider('girth').min, slider('girth').max]).toEqual(['3', '7'])
    screen.getByText(/Over 6 months, the projection adds 1\.04 inches in length and 0\.54 inches in girth/)
  })

  it.each([
    { key: 'ArrowRight', length: ['5.20', '6.24'], girth: ['4.60', '5.14'] },
    { key: 'ArrowUp', length: ['5.20', '6.24'], girth: ['4.60', '5.14'] },
    { key: 'ArrowLeft', length: ['5.10', '6.14'], girth: ['4.50', '5.04'] },
    { key: 'ArrowDown', length: ['5.10', '6.14'], girth: ['4.50', '5.04'] },
    { key: 'PageUp', length: ['5.60', '6.64'], girth: ['5.00', '5.54'] },
    { key: 'PageDown', length: ['4.70', '5.74'], girth: ['4.10', '4.64'] },
  ])('is moved by $key', ({ key, length, girth }) => {
    fireEvent.keyDown(slider('length'), { key })
    expect(readings()).toEqual([...length, '4.59', '5.13'])
    fireEvent.keyDown(slider('girth'), { key })
    expect(readings()).toEqual([...length, ...girth])
  })

  it('leaves the keys to the browser that belong to it', () => {
    for (const held of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }]) {
      expect(fireEvent.keyDown(slider('length'), { key: 'ArrowLeft', ...held })).toBe(true)
    }
    expect(fireEvent.keyDown(slider('length'), { key: 'Tab' })).toBe(true)
    expect(readings()).toEqual(['5.16', '6.20', '4.59', '5.13'])
    expect(fireEvent.keyDown(slider('length'), { key: 'ArrowLeft' })).toBe(false)
  })

  it('goes to the nearest step of where the pointer is', () => {
    fireEvent.change(slider('girth'), { target: { value: '6.2703' } })
    expect(readings()).toEqual(['5.16', '6.20', '6.30', '6.84'])
    expect(slider('girth').value).toBe('6.3')
  })

  it('tells screen readers both readings, and has a step once it stands on one', () => {
    expect(slider('length').getAttribute('aria-valuetext')).toBe('5.16 inches, projected 6.20 inches after 6 months')
    expect(slider('length').step).toBe('any')
    fireEvent.keyDown(slider('length'), { key: 'ArrowRight' })
    expect(slider('length').getAttribute('aria-valuetext')).toBe('5.20 inches, projected 6.24 inches after 6 months')
    expect(slider('length').step).toBe('0.1')
  })

  it('stops at its limits', () => {
    for (let times = 0; times < 9; times++) fireEvent.keyDown(slider('length'), { key: 'PageUp' })
    for (let times = 0; times < 9; times++) fireEvent.keyDown(slider('girth'), { key: 'PageDown' })
    expect(readings()).toEqual(['8.00', '9.04', '3.00', '3.54'])
  })
})

function slider(measure: 'length' | 'girth'): HTMLInputElement {
  return screen.getByRole('slider', { name: `Current ${measure}` })
}

/** Length, projected length, girth, projected girth. */
function readings(): (string | undefined)[] {
  return [...document.querySelectorAll('output')].map(({ textContent }) => textContent?.replace('in', ''))
}
