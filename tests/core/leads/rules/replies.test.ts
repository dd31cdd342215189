import { describe, expect, it } from 'vitest'
import { answerIn, asksToStop } from '../../../../core/leads/rules/outcomes.ts'

describe('the first line of a provider’s reply', () => {
  it.each([
    ['Booked', 'booked'],
    ['booked, thank you!\n\nSent from my phone', 'booked'],
    ['\n\n  NO ANSWER.\n', 'no_answer'],
    ['We can’t help', 'declined'],
    ['Wrong number', 'wrong_number'],
    ['Did not come', 'no_show'],
    ['came', 'attended'],
    ['STOP', 'stop'],
  ])('%j is an answer', (text, kind) => expect(answerIn(text)).toBe(kind))

  it.each([
    'Reached voicemail',
    'Not booked',
    'Booked?',
    'Should we stop by?',
    '> Booked',
    'On Thu, Nov 26, 2026, Leadwell wrote:\nBooked',
    '----- Original message -----\nBooked',
    'constructor',
    '',
  ])('%j needs a person', (text) => expect(answerIn(text)).toBeUndefined())
})

describe('the first line of a visitor’s reply', () => {
  it.each([
    'STOP',
    'stop.',
    'Please stop',
    'unsubscribe',
    'Cancel',
    'END',
    'quit',
    'I revoke my consent',
    'opt-out',
    'Opt out now',
  ])('%j asks for no more contact', (text) => expect(asksToStop(text)).toBe(true))

  it.each([
    'Thank you, see you on Monday',
    'I will be there at the end of the week, so please call after that',
    'Nonstop calls?',
    'When?\nSTOP',
    '> STOP',
  ])('%j does not', (text) => expect(asksToStop(text)).toBe(false))
})
