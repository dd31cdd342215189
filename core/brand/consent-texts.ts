import type { ConsentEntry } from './type.ts'

/**
 * Every text that has ever stood beside a checkbox, as evidence. Append only: a text that was shown is never changed or removed,
 * also when the company or the product gets another name. The last entry of a `use` is the one that is shown.
 *
 * To change a text, add an entry with the next number, today's day as `valid_from`, and the SHA-256 that
 * `npm run generate -- --check` asks for.
 */
export const consentTexts: readonly ConsentEntry[] = [
  {
    use: 'form',
    version: 'form-2026-11-20',
    valid_from: '2026-11-20',
    wording:
      'I consent to receive calls, emails or texts about the Velmora Protocol from a provider. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out.',
    sha256: '695629506fdf07e6d15c93085b2726ffbc240a7681aba558e2fd99924629a46a',
  },
  {
    use: 'finder',
    version: 'finder-2026-11-20',
    valid_from: '2026-11-20',
    wording: 'I agree to receive communications about Velmora Protocol treatment and related services.',
    sha256: 'b3af14d82147fc44eb1e59e12c7663accfb16cb96745dd7f3914a5bd349332f6',
  },
  {
    use: 'application',
    version: 'application-2026-11-21',
    valid_from: '2026-11-22',
    wording:
      'I agree that Velmora contacts me by phone, email or text about my application to join its provider network. Message and data rates may apply. Reply STOP to opt out.',
    sha256: 'bdab3fa63c0e3813c905305327b50826f47defbcfa4c2e732775ca25332ab134',
  },
  {
    use: 'form',
    version: 'form-2026-11-28',
    valid_from: '2026-11-23',
    wording:
      'I consent to receive calls, emails or texts about the Velmora Protocol from a provider. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out.',
    sharing: {
      version: 'sharing-2026-11-28',
      wording:
        'By submitting, you ask us to share these details with the clinic that you chose, or else with a clinic near you.',
    },
    sha256: 'e639da20be326141749934cb0e58779169345c4d2dcdb3d838de011e3c78490b',
  },
  {
    use: 'finder',
    version: 'finder-2026-11-28',
    valid_from: '2026-11-23',
    wording: 'I agree to receive communications about Velmora Protocol treatment and related services.',
    sharing: {
      version: 'sharing-2026-11-28',
      wording:
        'By submitting, you ask us to share these details with the clinic that you chose, or else with a clinic near you.',
    },
    sha256: '52aee61de457811a660bf4bbcbfc27ae7ad80218c1c2c5aea3776f8d8940446a',
  },
  {
    use: 'phone',
    version: 'phone-2026-11-25',
    valid_from: '2026-11-25',
    wording:
      'You agree to receive calls, emails or texts about the Velmora Protocol from a provider. Consent is not a condition of purchase. Message and data rates may apply. You can stop at any time by replying STOP.',
    sharing: {
      version: 'phone-sharing-2026-11-25',
      wording: 'You ask us to share these details with a clinic near you.',
    },
    sha256: 'b7eda7bf3b4e9109dc57f5a5efa8a711aedecaf72abea2b7cbf1880f7dfc6189',
  },
  {
    use: 'form',
    version: 'form-3',
    valid_from: '2026-11-26',
    wording:
      'I consent to receive calls, emails or texts about the Velmora Protocol from a provider. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out.',
    sharing: {
      version: 'sharing-2',
      wording:
        'By submitting, you ask us to share these details with the clinic that you chose, or else with a clinic near you.',
    },
    sha256: '7f370ce540f3ce709e0361b00c829995d1e69a9d55ba6c6d01696f3264f768d0',
  },
  {
    use: 'finder',
    version: 'finder-3',
    valid_from: '2026-11-26',
    wording: 'I agree to receive communications about Velmora Protocol treatment and related services.',
    sharing: {
      version: 'sharing-2',
      wording:
        'By submitting, you ask us to share these details with the clinic that you chose, or else with a clinic near you.',
    },
    sha256: '48b22c886345eacafecea4ba091ecf07b38c9795823798b205fcf8339de25faf',
  },
  {
    use: 'phone',
    version: 'phone-2',
    valid_from: '2026-11-26',
    wording:
      'You agree to receive calls, emails or texts about the Velmora Protocol from a provider. Consent is not a condition of purchase. Message and data rates may apply. You can stop at any time by replying STOP.',
    sharing: {
      version: 'phone-sharing-2',
      wording: 'You ask us to share these details with a clinic near you.',
    },
    sha256: '326c2821b8948e75645891752f84e1b60c131bc6b215a067720a45bd1dad47cc',
  },
  {
    use: 'application',
    version: 'application-2',
    valid_from: '2026-11-26',
    wording:
      'I agree that Velmora contacts me by phone, email or text about my application to join its provider network. Message and data rates may apply. Reply STOP to opt out.',
    sha256: 'a1b8a377e5055e3724902050078bf8b201a31f5c211403ef37153880941ce85f',
  },
]
