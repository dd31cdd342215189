import type { RequestAnswer } from '../contract/outcomes.ts'

/** What a clinic says by its first line. Only whole lines count: "reached voicemail" is no "reached". */
const LINES: Partial<Record<RequestAnswer, string[]>> = {
  reached: ['reached', 'i reached them', 'we reached them', 'spoke to them'],
  booked: ['booked', 'appointment booked', 'scheduled'],
  no_answer: ['no answer', 'no answer yet', 'not reached', 'left a message', 'left voicemail', 'voicemail'],
  wrong_number: ['wrong number', 'number is wrong', 'bad number'],
  declined: ['cannot help', "can't help", 'we cannot help', "we can't help", 'declined'],
  attended: ['came', 'attended', 'they came'],
  no_show: ['no show', 'no-show', 'did not come', "didn't come", 'they did not come'],
  treated: ['treated'],
  stop: ['stop', 'asked to stop', 'do not contact', 'opt out', 'unsubscribe'],
}

/** Returns the answer of a clinic in the first line of its reply, or undefined where a person has to read it. */
export function answerIn(text: string): RequestAnswer | undefined {
  const words = firstLine(text)
    .replace(/\b(please|thanks|thank you)\b/g, '')
    .trim()
  const found = Object.entries(LINES).find(([, lines]) => lines.includes(words))
  return found?.[0] as RequestAnswer | undefined
}

/** The words by which a person revokes consent. Source: 47 CFR 64.1200(a)(10). */
const STOP = /(^| )(stop|unsubscribe|cancel|end|quit|revoke|opt[ -]?out)( |$)/
/** A longer line is a sentence in which the word may mean something else. */
const MAX_WORDS = 6

/** Returns whether a visitor asks for no more contact in the first line of a reply. */
export function asksToStop(text: string): boolean {
  const line = firstLine(text)
  return STOP.test(line) && line.split(' ').length <= MAX_WORDS
}

/** Returns the first line that the sender wrote, in small letters and without marks at its ends. */
function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? ''
  if (/^\s*(>|-{3,}|_{3,}|on .+ wrote:)/i.test(line)) return ''
  return line
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/[.,;:!*_"“”]/g, '')
    .trim()
}
