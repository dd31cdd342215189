/** Replaces the hidden part of an e-mail address or a phone number. */
const MASK = '•••'

/** Returns whether a text is masked. */
export function isMasked(text: string): boolean {
  return text.includes(MASK)
}

/** Masks an e-mail address: `jordan@visitors.example` becomes `j•••@v•••.example`. */
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
