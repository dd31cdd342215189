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

/** Replaces the hidden part of an email address or a phone number. */
const MASK = '•••'

/** Returns whether a text is masked. */
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
