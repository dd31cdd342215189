import { brand } from '../brand/brand.ts'

/** The forms that ask for a consent: those of visitors, and that of clinics. */
export type ConsentForm = 'lead' | 'application'

/** The text beside the checkbox of a form. `sharing`: the sentence about the recipient of the details, if any. */
export type ConsentText = { version: string; form: ConsentForm; wording: string; sharing?: ConsentSharing }
export type ConsentSharing = { version: string; wording: string }

const SHARING: ConsentSharing = {
  version: 'sharing-2026-11-28',
  wording:
    'By submitting, you ask us to share these details with the clinic that you chose, or else with a clinic near you.',
}

const FORM_WORDING = `I consent to receive calls, emails or texts about the ${brand.product} from a provider. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out.`
const FINDER_WORDING = `I agree to receive communications about ${brand.product} treatment and related services.`

/** What staff read aloud to a person who phones. */
const PHONE_WORDING = `You agree to receive calls, emails or texts about the ${brand.product} from a provider. Consent is not a condition of purchase. Message and data rates may apply. You can stop at any time by replying STOP.`
const PHONE_SHARING: ConsentSharing = {
  version: 'phone-sharing-2026-11-25',
  wording: 'You ask us to share these details with a clinic near you.',
}

/** The texts that the forms show now. To change one, move it to `PAST` and write a new version. */
export const CONSENT = {
  form: { version: 'form-2026-11-28', form: 'lead', wording: FORM_WORDING, sharing: SHARING },
  phone: { version: 'phone-2026-11-25', form: 'lead', wording: PHONE_WORDING, sharing: PHONE_SHARING },
  finder: { version: 'finder-2026-11-28', form: 'lead', wording: FINDER_WORDING, sharing: SHARING },
  application: {
    version: 'application-2026-11-21',
    form: 'application',
    wording: `I agree that ${brand.company} contacts me by phone, email or text about my application to join its provider network. Message and data rates may apply. Reply STOP to opt out.`,
  },
} as const satisfies Record<string, ConsentText>

/** Earlier texts, for evidence and for pages that were opened before a change. Never change or remove one. */
const PAST: ConsentText[] = [
  { version: 'form-2026-11-20', form: 'lead', wording: FORM_WORDING },
  { version: 'finder-2026-11-20', form: 'lead', wording: FINDER_WORDING },
]

const KNOWN: ConsentText[] = [...Object.values(CONSENT), ...PAST]

/** The consent that a form names: by its version or, as the specification says, by its wording. */
type NamedConsent = { consent_version?: string; acceptance_message: string }

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
