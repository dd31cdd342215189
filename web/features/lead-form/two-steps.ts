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
    accepts: (zip: string) => boolean
    refusal: { title: string; message: string }
  }
  person: { title: string; text: string; button: string; busyButton: string }
}
