import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
/** Said when a zip code is not taken: in a toast, and the message at the field. */
export type ZipRefusal = { title: string; message: string }

/** What the two forms that ask for the zip code first have in common, and where they differ. */
export type TwoSteps = {
  /** The page's address, where the first step leads without JavaScript. */
  path: string
  /** The level of the steps' headings. */
  heading: 'h1' | 'h2'
  zip: {
    title: string
    text: string
    label: string
    button: string
    /** Why this cannot be a zip code, if it cannot. */
    refuse: (zip: string) => ZipRefusal | undefined
  }
  person: { title: string; text: string; button: string; busyButton: string }
}

/** The steps on a clinic's own pages, which name it. */
export function stepsFor(clinic: ClinicOfPage | undefined, steps: TwoSteps): TwoSteps {
  return clinic ? { ...steps, zip: { ...steps.zip, text: `Your request goes to ${clinic.name}.` } } : steps
}
