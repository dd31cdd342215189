import { describe, expect, it } from 'vitest'
import { maskEmail, maskText } from '../../../core/contract/texts.ts'

describe('a masked text', () => {
  it.each([
    'ask jordan@visitors.example,joe.avery@visitors.example',
    'jordan@visitors.example;joe.avery@visitors.example',
    '(joe.avery@visitors.example)(jordan@visitors.example)',
    'joe.avery＠visitors.example',
    'joe.avery﹫visitors.example',
    'https://clinic.example/?q=joe.avery%40visitors.example&p=1',
    "'joe.avery'@visitors.example",
    'call 512.555.0142, or (512) 555 – 0142',
    'tel:+15125550142',
  ])('has no address and no number: %s', (text) => {
    expect(maskText(text)).not.toMatch(/avery|visitors|ordan|0142/)
  })

  it('keeps the rest', () => {
    expect(maskText('Called on 11/26, zip 78701: write to jo@visitors.example, please')).toBe(
      'Called on 11/26, zip 78701: write to j•••@v•••.example, please',
    )
  })
})

it('a masked address has no host of one word', () => {
  expect(maskEmail('jordan@intranet')).toBe('j•••@i•••')
})
