/** Letters that Unicode does not take apart. The database's function `folded` has the same. */
const LETTERS: Record<string, string> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k', ə: 'e', ƒ: 'f' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  // The apostrophes of Hawaiian and Ukrainian names.
  ...{ ʻ: "'", ʼ: "'", ʾ: "'", ʿ: "'" },
}
const UNFOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Returns a text without case and accents, as people type a name that they look for: `Łukasz` becomes `lukasz`. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(UNFOLDED, (letter) => LETTERS[letter] ?? letter)
}

const MASK = '•••'

export function isMasked(text: string): boolean {
  return text.includes(MASK)
}

/** Masks an email address: `jordan@visitors.example` becomes `j•••@v•••.example`. */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : ''
  return `${name.slice(0, 1)}${MASK}@${domain.slice(0, 1)}${MASK}${end}`
}

/** Masks a phone number: `(512) 555-0142` becomes `••• 42`. */
export function maskPhone(phone: string): string {
  return `${MASK} ${phone.replace(/\D/g, '').slice(-2)}`
}

/** The at sign may be wide, small, or encoded as in the address of a page. */
const EMAILS = /[^\s@＠﹫<>"',;()[\]]{1,64}'?(?:[@＠﹫]|%40)[^\s@＠﹫<>"',;()[\]]{1,255}/gi
/** Seven digits of any script or more, with up to three characters other than letters between two of them. */
const NUMBERS = /[(+＋]{0,2}\p{Nd}(?:[^\p{L}\p{N}\n]{0,3}\p{Nd}){6,}/gu

/** Masks the email addresses and phone numbers in a free text, which may quote a person. */
export function maskText(text: string): string {
  return text.replace(EMAILS, (email) => maskEmail(email.replace(/[＠﹫]|%40/, '@'))).replace(NUMBERS, MASK)
}

const whole = new Intl.NumberFormat('en-US')

/** `12,345` */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `1 lead`, `12,345 leads` */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A distance in words, as exact as zip codes are: `less than a mile`, `1 mile`, `1,205 miles`. */
export function milesInWords(miles: number): string {
  return miles < 1 ? 'less than a mile' : countOf(Math.round(miles), 'mile')
}

/** The same as an estimate: `about 12 miles`. */
export const aboutMiles = (miles: number) => `${miles < 1 ? '' : 'about '}${milesInWords(miles)}`

const TITLES = /^(?:(?:dr|prof|mr|mrs|ms)(?:\.\s*|\s+))+(?=\S)/i

/** Returns the first letter of a name without its titles, or of the title if there is nothing else. */
export function initialOf(name: string): string {
  const [initial = ''] = name.trim().replace(TITLES, '')
  return initial.toUpperCase()
}

/*
 * The phone numbers in a field. The database's function `phone_digits` does the same. `core/leads/rules/duplicates.ts` adds on
 * the server what libphonenumber-js finds beyond, which weighs too much for a browser.
 */

/** The digits of Arabic and of Persian. NFKC turns full-width digits into ASCII. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g
/** Marks of the direction of writing and the like, which come with copied numbers. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** An extension, as in `ext. 7`, `x7`, `#7`, `;ext=7` and `,,7`, unless more of a number follows. */
const EXTENSION = /(?:ext(?:ension|n)?|x|#|[;,])[ .:=,]{0,9}(?:ext[ .:=]{0,9})?[0-9]{1,7}(?![ ().-]*[0-9])/gi
/** A part of a text that may hold numbers. Letters, `#`, `,` and `;` end it. */
const PIECES = /[+]?[0-9(][0-9 \t-\r()./_~\u2010-\u2015\u2212·•*-]*/g
/** The start of a number with a country code: a plus, or the prefix of a call abroad, `011` in the USA. */
const ABROAD = /^(?:[+]|[(]?(?:00|011))/
/** A number of the North American plan: area code and exchange begin with 2 to 9. Source: nanpa.com. */
const NORTH_AMERICAN = /^1?([2-9]\d{2}[2-9]\d{6})$/

/**
 * Returns each phone number in a text as E.164 has it (`+15125550117`), in their order: without extensions, in digits of
 * any script, US numbers with their country code.
 */
export function phoneNumbers(text: string): string[] {
  return [...new Set((asciiDigits(text).replace(EXTENSION, ';').match(PIECES) ?? []).flatMap(numbersOf))]
}

/** Returns the number to dial for a text, as a `tel:` address has it (RFC 3966). Null if it has none that can be dialed. */
export function dialable(phone: string): string | null {
  return phoneNumbers(phone)[0] ?? null
}

/** Returns the `tel:` address of a phone number as people write it, or null if it cannot be dialed. */
export function telUrl(phone: string): string | null {
  const number = dialable(phone)
  return number && `tel:${number}`
}

/** Returns a text with ASCII digits and without invisible characters. */
export function asciiDigits(text: string): string {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '')
  // The last four bits of their code points are their values.
  return plain.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
}

function numbersOf(piece: string): string[] {
  const rest = piece.replace(ABROAD, '')
  if (rest === piece || rest.replace(/\D/g, '').startsWith('1')) return northAmericanNumbersOf(rest)
  // The zero of `+44 (0)20 …` is not dialed, and what follows a slash is another number.
  const digits = rest.replaceAll('(0)', '').replace(/\/.*/s, '').replace(/\D/g, '')
  return /^[2-9]\d{6,14}$/.test(digits) ? [`+${digits}`] : []
}

/** Joins the groups of digits until they are a number, again and again: `512 555 0142 / 512 555 0199` has two. */
function northAmericanNumbersOf(piece: string): string[] {
  const found: string[] = []
  let digits = ''
  for (const group of piece.split(/\D+/)) {
    digits += group
    // More digits than a number has.
    if (digits.length > 11) break
    const national = NORTH_AMERICAN.exec(digits)?.[1]
    if (!national) continue
    found.push(`+1${national}`)
    digits = ''
  }
  return found
}

/** Returns a US number of ten digits as `(512) 555-0117`, and any other text as it is. */
export function formatPhone(phone: string): string {
  const digits = /^[\d\s().+-]+$/.test(phone) ? phone.replace(/\D/g, '') : ''
  const [, area, exchange, line] = /^1?(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  return area ? `(${area}) ${exchange}-${line}` : phone
}
