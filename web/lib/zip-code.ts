/** Five digits, if that is what a ZIP+4 (`90210-1234`, `902101234`) comes down to; any other text as it is. */
export function fiveDigits(text: string): string {
  return /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(text)?.[1] ?? text
}
