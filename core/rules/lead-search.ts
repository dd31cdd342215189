const PHONE = /^[\d\s().+/-]+$/
/** The separators of the words of a name. The database's function `lead_words` has the same. */
const SEPARATORS = /[\s!-/:-@[-`{-~]+/
const APOSTROPHES = /['’‘ʼ`]/g

/**
 * What a lead must have in order to match a search, as a query for `lead_words` (PostgreSQL's tsquery): each word of the
 * search is the start of a word of a name, of the e-mail, of the zip or of the phone. A search that looks like a phone is
 * one, however it is typed: from its first digit, without the area code, or by its last four.
 * @returns null when there is nothing to look for; then nothing matches
 */
export function leadSearchQuery(search: string): string | null {
  if (PHONE.test(search)) return startOf(nationalDigits(search))

  const words = search
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/\s+/)
  const wanted = words.map(wordQuery).filter((query) => query !== null)
  return wanted.length > 0 ? wanted.join(' & ') : null
}

/** Returns the query for leads with one of these e-mails, given in lower case. */
export function emailsQuery(emails: string[]): string {
  return emails.map(quoted).join(' | ')
}

/** Returns the query for leads with this e-mail or phone, however they are typed. */
export function personQuery({ email, phone }: { email: string; phone: string }): string {
  return [email.trim().toLowerCase(), nationalDigits(phone)].filter(Boolean).map(quoted).join(' | ')
}

/** Returns the query of one word: as typed, for e-mails, or its parts between dots, hyphens and the like, for names. */
function wordQuery(word: string): string | null {
  if (word.includes('@')) return startOf(word)

  const parts = word.replace(APOSTROPHES, '').split(SEPARATORS).filter(Boolean)
  if (parts.length === 0) return null
  if (parts[0] === word) return startOf(word)
  return `(${startOf(word)} | (${parts.map(startOf).join(' & ')}))`
}

/** Returns the digits of a phone number, without the country code of the USA. */
export function nationalDigits(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
}

function startOf(word: string): string | null {
  return word === '' ? null : `${quoted(word)}:*`
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
