import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
/** The texts for a refused zip code: the title of the toast and the message at the field. */
export type ZipRefusal = { title: string; message: string }

/** The differences between the two forms that ask for the zip code first. */
export type TwoSteps = {
  /** The path of the page, used by the first step without JavaScript. */
  path: string
  /** The heading level of the steps. */
  heading: 'h1' | 'h2'
  zip: {
    title: string
    text: string
    label: string
    button: string
    /** Returns the texts for an invalid zip code; undefined for a valid one. */
    refuse: (zip: string) => ZipRefusal | undefined
  }
  person: { title: string; text: string; button: string; busyButton: string }
}

/** Returns the steps with the clinic's name on the clinic's own pages. */
export function stepsFor(clinic: ClinicOfPage | undefined, steps: TwoSteps): TwoSteps {
  return clinic ? { ...steps, zip: { ...steps.zip, text: `Your request goes to ${clinic.name}.` } } : steps
}
