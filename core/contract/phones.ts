/**
 * Returns a phone number without its extension as a `tel:` address has it (RFC 3966); a US number gets its country code.
 * Null if it cannot be dialed.
 */
export function dialable(phone: string): string | null {
  const number = phone.split(/\s*(?:ext|x|#)/i, 1)[0] ?? ''
  const digits = number.replace(/\D/g, '')
  if (/^\s*\+/.test(number)) return /^\d{7,15}$/.test(digits) ? `+${digits}` : null
  return /^1?\d{10}$/.test(digits) ? `+1${digits.slice(-10)}` : null
}

/** Returns a US number of ten digits as `(512) 555-0117`, and any other text as it is. */
export function formatPhone(phone: string): string {
  const digits = /^[\d\s().+-]+$/.test(phone) ? phone.replace(/\D/g, '') : ''
  const [, area, exchange, line] = /^1?(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  return area ? `(${area}) ${exchange}-${line}` : phone
}
