/** The id that a text stands for, else undefined. */
export function parseId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
