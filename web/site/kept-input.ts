import type { LeadField } from '../../core/contract/lead-form.ts'

type Input = Partial<Record<LeadField, string>>

/**
 * What the visitor has typed into a lead form, for the forms of other pages: never the consent. It is in the memory of
 * the tab only, so that the next person at this computer cannot find it.
 */
let kept: Input = {}

/** Returns what was typed on other pages. On the server it is always empty. */
export function keptInput(): Readonly<Input> {
  return kept
}

/** Remembers what is typed. A field without a value stays as it was. */
export function keepInput(values: Readonly<Input>): void {
  const typed = Object.entries(values).filter(([, value]) => value !== undefined)
  kept = { ...kept, ...Object.fromEntries(typed) }
}

/** Forgets it, because the request was sent. */
export function forgetInput(): void {
  kept = {}
}
