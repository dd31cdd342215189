/** Replaces the hidden part of an e-mail address or a phone number. */
const MASK = '•••'

/** Returns whether a text is masked. */
export function isMasked(text: string): boolean {
  return text.includes(MASK)
}

/** Masks an e-mail address: `jordan@visitors.example` becomes `j•••@v•••.example`. */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const end = domain.slice(domain.lastIndexOf('.') + 1)
  return `${name.slice(0, 1)}${MASK}@${domain.slice(0, 1)}${MASK}.${end}`
}

/** Masks a phone number: `(512) 555-0142` becomes `••• 42`. */
export function maskPhone(phone: string): string {
  return `${MASK} ${phone.replace(/\D/g, '').slice(-2)}`
}

/** Masks the e-mail addresses and phone numbers in an answer of another system, which may quote a person. */
export function maskText(text: string): string {
  return text.replace(/[^\s@<>"']{1,64}@[^\s@<>"']{1,255}/g, maskEmail).replace(/[(+]{0,2}\d[\d\s().-]{5,18}\d/g, MASK)
}
