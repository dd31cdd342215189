/** What a lead can have come to, from the bottom of a bar to its top. Each has a pattern, not only a colour. */
export const KINDS = [
  { id: 'matched', name: 'Matched', colour: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'unmatched', name: 'Unmatched', colour: 'var(--color-wait-bright)', pattern: 'striped' },
  { id: 'held', name: 'Held', colour: 'var(--color-edge)', pattern: 'dotted' },
] as const

export type Kind = (typeof KINDS)[number]
