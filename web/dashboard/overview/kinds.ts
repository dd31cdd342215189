/** What a lead can have come to, from the bottom of a bar to its top. Each has a pattern, not only a colour. */
export const KINDS = [
  { id: 'matched', name: 'Matched', colour: '#7928ca', pattern: 'plain' },
  { id: 'unmatched', name: 'Unmatched', colour: '#b3740a', pattern: 'striped' },
  { id: 'held', name: 'Held', colour: '#8d7f9c', pattern: 'dotted' },
] as const

export type Kind = (typeof KINDS)[number]
