import { STATE_NAMES } from '../../contract/places.ts'
import { asciiDigits, folded, phoneNumbers } from '../../contract/texts.ts'
import { nationalDigits, phoneDigits } from './duplicates.ts'

/** A search for a phone number or a part of it. */
const PHONE = /^[\d\s()./_~\u2010-\u2015\u2212·•*+-]+$/
/** What may stand around whole numbers in a search for them. */
const AROUND_PHONES = /\b(?:tel|phone|cell|mobile|home|work|fax|or|and|ext|extension|x)\b|[^\p{L}]/giu
/** The separators of the words of a name. The database's function `lead_words` has the same. */
const SEPARATORS = /[\s!-/:-@[-`{-~]/
const APOSTROPHES = /['’‘ʼ`]/g

/**
 * What a lead must have in order to match one part of a search, any one of them: words of its own (`lead`), words of its
 * clinic or of its place, each a query of PostgreSQL, or its number.
 */
type SearchTerm = { lead: string | null; clinic: string | null; place: string | null; number: number | null }

/** The longest word that must be a whole word of a clinic or a place, such as `St` and `TX`. */
const SHORT = 2

/**
 * Returns the parts of a search, all of which a lead must match. A phone is one part, and each word another: the start of
 * a word of the lead, its clinic or its place. One or two letters alone are the start of a name, unless both are capital:
 * then they may be a state as well. A number may be that of the lead, and with `#` it is nothing else. `lead` is a query for `lead_words`.
 * A search that looks like a phone is one, however it is typed: from its first digit, without the area code, or by its last four.
 * @returns an empty list when there is nothing to look for; then nothing matches
 */
export function searchTerms(search: string): SearchTerm[] {
  const nothing = { lead: null, clinic: null, place: null, number: null }
  const phone = phoneQuery(search)
  if (phone !== undefined) {
    return phone === null ? [] : [{ ...nothing, lead: phone, number: numberIn(asciiDigits(search)) }]
  }
  const words = search.split(/\s/).filter(Boolean)
  return words.flatMap((typed, at) => {
    if (/^#\d{1,9}$/.test(typed)) return { ...nothing, number: Number(typed.slice(1)) }
    const word = folded(typed)
    const lead = wordQuery(word)
    if (lead === null) return []
    if (word.includes('@') || /\d/.test(word)) return { ...nothing, lead, number: numberIn(word) }
    if (words.length === 1 && word.length <= SHORT && !/[A-Z]{2}/.test(typed)) return { ...nothing, lead }
    return { ...nothing, lead, clinic: nameQuery(word), place: nameQuery(word, at < words.length - 1) }
  })
}

/** Returns the query of the parts of a word: a long part is the start of a word, a short one is a whole word. */
function nameQuery(word: string, isAbbreviated = false): string {
  const parts = partsOf(word).map((part) => {
    const whole = isAbbreviated ? ABBREVIATIONS[part] : undefined
    if (whole !== undefined) return `(${quoted(part)} | ${quoted(whole)})`
    return part.length > SHORT ? startOf(part) : quoted(part)
  })
  return parts.join(' & ')
}

const numberIn = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null)

/** Returns the query for leads with one of these emails, given in lower case. */
export function emailsQuery(emails: string[]): string {
  return emails.map(quoted).join(' | ')
}

/** Returns the query for leads with this email or phone, however they are typed. */
export function personQuery({ email = '', phone = '' }: { email?: string; phone?: string }): string {
  return [email.trim().toLowerCase(), ...phoneDigits(phone)].filter(Boolean).map(quoted).join(' | ')
}

/** Returns the query of one word: as typed, for emails, or its parts between dots, hyphens and the like, for names. */
function wordQuery(word: string): string | null {
  if (word.includes('@')) return startOf(word)

  const parts = partsOf(word)
  if (parts.length === 0) return null
  if (parts[0] === word) return startOf(word)
  return `(${startOf(word)} | (${parts.map(startOf).join(' & ')}))`
}

/** Returns the parts of a word between its separators, without apostrophes. */
export const partsOf = (word: string) => word.replace(APOSTROPHES, '').split(SEPARATORS).filter(Boolean)

/**
 * Returns the query of a search that is a phone number or a part of one, or that has whole numbers and little else.
 * @returns undefined when the search is for something else
 */
function phoneQuery(search: string): string | null | undefined {
  if (PHONE.test(asciiDigits(search))) {
    const numbers = phoneNumbers(search).length > 1 ? phoneDigits(search) : [nationalDigits(search)]
    return numbers.map(startOf).join(' | ') || null
  }
  const isOfPhones =
    phoneNumbers(search).length > 0 && asciiDigits(search).replace(/\d+/g, ' ').replace(AROUND_PHONES, '') === ''
  return isOfPhones
    ? phoneNumbers(search)
        .map((number) => startOf(nationalDigits(number)))
        .join(' | ')
    : undefined
}

function startOf(word: string): string | null {
  return word === '' ? null : `${quoted(word)}:*`
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Words that people shorten at the beginning of a place's name. The list of zip codes spells them out. */
const ABBREVIATIONS: Record<string, string> = { st: 'saint', ft: 'fort', mt: 'mount', ste: 'sainte' }

/** What a visitor may have meant by the text of a search: a zip code, or one or more readings of a name. */
export type PlaceSearch = {
  /** The beginning of a zip code. */
  zip?: string
  /** The beginning of a city's name in lower case, and its state if the text has one. */
  cities: { city: string; state?: string }[]
  /** States whose names begin with the text, or whose abbreviation it is. */
  states: { code: string; name: string }[]
}

/**
 * Reads the text of a search for a place. `Austin`, `austin tx`, `Austin, Texas`, `St. Louis`, `787`, `78704-1234` and
 * `Austin, TX 78704` are understood.
 */
export function readPlaceSearch(text: string): PlaceSearch {
  const words = text
    .toLowerCase()
    .split(/[\s.,]/)
    .filter(Boolean)
  const whole = words.join(' ')
  const zip = /(?:^|\s)(\d{5})(?:-?\d{4}|-\d{0,3})?$/.exec(whole)?.[1] ?? /^\d{1,4}$/.exec(whole)?.[0]
  if (zip) return { zip, cities: [], states: [] }
  if (!/\p{L}/u.test(whole)) return { cities: [], states: [] }

  // A name of a state may have three words. `Washington` and `New York` may be cities, too.
  const ends = [1, 2, 3].flatMap((count) => {
    const state = stateOf(words.slice(-count).join(' '))
    return state && words.length > count ? [{ city: cityName(words.slice(0, -count)), state }] : []
  })
  return {
    cities: [...ends, { city: cityName(words) }],
    states: Object.entries(STATE_NAMES)
      .filter(
        ([code, name]) => code.toLowerCase() === whole || (whole.length > 2 && name.toLowerCase().startsWith(whole)),
      )
      .map(([code, name]) => ({ code, name })),
  }
}

function stateOf(text: string): string | undefined {
  return Object.entries(STATE_NAMES).find((names) => names.some((name) => name.toLowerCase() === text))?.[0]
}

const cityName = (words: string[]) =>
  words.map((word, index) => (index === 0 ? (ABBREVIATIONS[word] ?? word) : word)).join(' ')
