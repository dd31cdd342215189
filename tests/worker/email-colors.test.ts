import { describe, expect, it } from 'vitest'
import { DARK, LIGHT } from '../../worker/emails/look.ts'
import { contrast } from '../support/contrast.ts'

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s colours', (_, colors) => {
  it.each([
    ['title', 'card'],
    ['text', 'card'],
    ['text', 'panel'],
    ['muted', 'card'],
    ['muted', 'panel'],
    ['link', 'card'],
    ['link', 'panel'],
    ['onButton', 'button'],
  ] as const)('let %s be read on %s', (text, ground) => {
    expect(contrast(colors[text], colors[ground])).toBeGreaterThanOrEqual(4.5)
  })
})
