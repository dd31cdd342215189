import { LEAD_FIELD_NAMES, type LeadField } from '../../../core/contract/lead-form.ts'

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

/** Remembers what is typed. Other fields than those of a lead are left out. */
export function keepInput(values: Readonly<Record<string, unknown>>): void {
  for (const name of LEAD_FIELD_NAMES) {
    const value = values[name]
    if (typeof value === 'string') kept = { ...kept, [name]: value }
  }
}

/** Forgets it, because the request was sent. */
export function forgetInput(): void {
  kept = {}
}
