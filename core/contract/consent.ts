import { brand } from '../brand.ts'

/**
 * The wording that a visitor or an applicant agrees to, by where it is shown. It is sent as `acceptance_message` and
 * kept as evidence: change a wording only together with its version.
 */
export const CONSENT = {
  form: {
    version: 'form-2026-11-20',
    wording: `I consent to receive calls, emails or texts about the ${brand.product} from a provider. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out.`,
  },
  finder: {
    version: 'finder-2026-11-20',
    wording: `I agree to receive communications about ${brand.product} treatment and related services.`,
  },
  application: {
    version: 'application-2026-11-21',
    wording: `I agree that ${brand.company} contacts me by phone, email or text about my application to join its provider network. Message and data rates may apply. Reply STOP to opt out.`,
  },
} as const

/** The version of a wording that we know word for word, else null. */
export function consentVersion(wording: string): string | null {
  return Object.values(CONSENT).find((consent) => consent.wording === wording)?.version ?? null
}
