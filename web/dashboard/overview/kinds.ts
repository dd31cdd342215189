/** The results of a lead, from the bottom of a bar to its top. Each has a pattern as well as a color. */
export const KINDS = [
  { id: 'matched', name: 'Matched', color: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'unmatched', name: 'Unmatched', color: 'var(--color-wait-bright)', pattern: 'striped' },
  { id: 'held', name: 'Held', color: 'var(--color-edge)', pattern: 'dotted' },
] as const

export type Kind = (typeof KINDS)[number]
