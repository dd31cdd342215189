import { findPhoneNumbersInText } from 'libphonenumber-js/min'
import { asciiDigits, phoneNumbers } from '../../contract/phones.ts'

/** No field and no search is longer. libphonenumber-js takes more than linear time. */
const MAX_FIELD = 250

/** A field whose digits are one US number and nothing else, as almost every one is. */
const ONE_NUMBER = /^1?\d{10}$/

/**
 * Returns the digits of each phone number in a field, by which numbers are searched, compared and hashed: without the
 * country code of the USA, and without extensions. The digits of the whole field are among them if they are something
 * else, because versions before 2026-11-27 compared and hashed these. The database's function `phone_digits` does the
 * same, but for numbers that only libphonenumber-js finds, which come last.
 */
export function phoneDigits(phone: string): string[] {
  const whole = asciiDigits(phone)
    .replace(/\D/g, '')
    .replace(/^1(?=\d{10}$)/, '')
  const numbers = phoneNumbers(phone)
  const isPlain = ONE_NUMBER.test(whole) && numbers.length === 1
  const others = isPlain
    ? []
    : findPhoneNumbersInText(asciiDigits(phone).slice(0, MAX_FIELD), 'US').map(({ number }) => number.number)
  const found = [...numbers.map(withoutCountry), whole, ...others.map(withoutCountry)]
  return [...new Set(found)].filter(Boolean)
}

/** Returns the digits of the first phone number in a field, or else all its digits. */
export function nationalDigits(phone: string): string {
  return phoneDigits(phone)[0] ?? ''
}

const withoutCountry = (number: string) => number.replace(/^[+](?:1(?=\d{10}$))?/, '')
