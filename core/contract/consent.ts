import { consentTexts } from '../brand/consent-texts.ts'
import type { ConsentEntry, ConsentUse } from '../brand/type.ts'

export type ConsentForm = 'lead' | 'application'

/**
 * The way a consent came: by a form of this site, by another program (`api`), by the page of another site, or on the phone.
 * A browser sends the first and the third; a program may pretend to be one.
 */
export const CONSENT_CHANNELS = ['form', 'api', 'other_site', 'phone'] as const
export type ConsentChannel = (typeof CONSENT_CHANNELS)[number]

export const CHANNEL_WORDS: Record<ConsentChannel, string> = {
  form: 'a form of this site',
  api: 'another program, through the API',
  other_site: 'a page of another site',
  phone: 'the phone',
}

/** Says of a text that it is not one of ours. */
export const WORDING_OF_CLIENT = 'wording stated by the client'

/** The text beside the checkbox of a form. `sharing`: the sentence about the recipient of the details, if any. */
export type ConsentText = { version: string; form: ConsentForm; wording: string; sharing?: ConsentSharing }
type ConsentSharing = { version: string; wording: string }

/** All texts, for evidence and for pages that were opened before a change. */
const KNOWN: ConsentText[] = consentTexts.map(textOf)

export const CONSENT = {
  form: withSharing('form'),
  phone: withSharing('phone'),
  finder: withSharing('finder'),
  application: current('application'),
}

function textOf({ use, version, wording, sharing }: ConsentEntry): ConsentText {
  return { version, form: use === 'application' ? 'application' : 'lead', wording, ...(sharing && { sharing }) }
}

function current(use: ConsentUse): ConsentText {
  const entry = consentTexts.findLast((each) => each.use === use)
  if (!entry) throw new Error(`core/brand/consent-texts.ts has no text for ${use}`)
  return textOf(entry)
}

/** Returns the present text of a form whose details go to a clinic. */
function withSharing(use: ConsentUse) {
  const text = current(use)
  if (!text.sharing) throw new Error(`core/brand/consent-texts.ts must say for ${use} who gets the details`)
  return { ...text, sharing: text.sharing }
}

/** The consent that a form names: by its version or, as the specification says, by its wording. */
type NamedConsent = { consent_version?: string; acceptance_message: string }

/** Returns whether a stored wording is a text of ours. Any other one was stated by the client that sent the form. */
export function isOurWording(wording: string): boolean {
  return KNOWN.some((known) => known.wording === wording)
}

/** Returns the text of a version, or null if it belongs to another form. */
export function consentOfVersion(form: ConsentForm, version: string): ConsentText | null {
  return KNOWN.find((known) => known.form === form && known.version === version) ?? null
}

/**
 * Returns the text that a form names, or null if it belongs to another form. A wording stands for the version without a
 * sentence about sharing, because it does not prove that the sentence was shown.
 */
export function namedConsent(form: ConsentForm, { consent_version, acceptance_message }: NamedConsent) {
  if (consent_version) return consentOfVersion(form, consent_version)
  return (
    KNOWN.find((known) => known.form === form && known.wording === acceptance_message && known.sharing === undefined) ??
    null
  )
}
