import { describe, expect, it } from 'vitest'
import { brand } from '../../../core/brand/brand.ts'
import { consentTexts } from '../../../core/brand/consent-texts.ts'
import { CONSENT, consentOfVersion, namedConsent } from '../../../core/contract/consent.ts'
import { consentHash, consentProblems } from '../../../ops/consent-hash.ts'

const TODAY = new Date().toISOString().slice(0, 10)

describe('the list of consent texts', () => {
  it('is unchanged, numbered, and dated no later than today', () => {
    expect(consentProblems(TODAY)).toEqual([])
  })

  it.each([
    [
      'a changed wording',
      (text: typeof LAST) => ({ ...text, wording: `${text.wording} ` }),
      'is not that of its SHA-256',
    ],
    ['a changed day', (text: typeof LAST) => ({ ...text, valid_from: '2026-11-25' }), 'is not that of its SHA-256'],
    [
      'a changed sentence about sharing',
      (text: typeof LAST) => ({ ...text, sharing: { version: 'sharing-2', wording: 'No.' } }),
      'is not that of its SHA-256',
    ],
    [
      'a day ahead',
      (text: typeof LAST) => withHash({ ...text, version: 'x-9', valid_from: '2999-01-01' }),
      'ahead of today',
    ],
    [
      'a used version',
      (text: typeof LAST) => withHash({ ...text, version: 'form-3' }),
      'Two consent texts are called form-3',
    ],
    ['an earlier day', (text: typeof LAST) => withHash({ ...text, valid_from: '2026-11-01' }), 'is older than'],
  ])('refuses %s', (_, change, problem) => {
    expect(consentProblems(TODAY, [...BEFORE, change(LAST)]).join()).toContain(problem)
  })

  it('refuses a list from which a text was removed', () => {
    expect(consentProblems(TODAY, consentTexts.toSpliced(1, 1))).not.toEqual([])
  })
})

const LAST = consentTexts.at(-1) as (typeof consentTexts)[number]
const BEFORE = consentTexts.slice(0, -1)
const withHash = (text: typeof LAST) => ({ ...text, sha256: consentHash(text, BEFORE.at(-1)?.sha256 ?? '') })

describe('the texts of the forms', () => {
  it('name the product and the company as they are called now', () => {
    for (const use of ['form', 'phone', 'finder'] as const) expect(CONSENT[use].wording).toContain(brand.product)
    expect(CONSENT.application.wording).toContain(brand.company)
  })

  it('say who gets the details', () => {
    for (const use of ['form', 'phone', 'finder'] as const) expect(CONSENT[use].sharing.wording).toContain('clinic')
  })
})

describe('a version', () => {
  it.each([
    ['lead', 'form-2026-11-20', undefined],
    ['lead', 'finder-2026-11-20', undefined],
    ['lead', 'form-2026-11-28', 'sharing-2026-11-28'],
    ['lead', 'finder-2026-11-28', 'sharing-2026-11-28'],
    ['lead', 'phone-2026-11-25', 'phone-sharing-2026-11-25'],
    ['application', 'application-2026-11-21', undefined],
  ] as const)('of an earlier release is still read, for a %s: %s', (form, version, sharing) => {
    const text = consentOfVersion(form, version)
    expect(text?.version).toBe(version)
    expect(text?.sharing?.version).toBe(sharing)
  })

  it('of another form is unknown', () => {
    expect(consentOfVersion('application', CONSENT.form.version)).toBeNull()
  })

  it('is that without a sentence about sharing where a form names only the wording', () => {
    expect(namedConsent('lead', { acceptance_message: CONSENT.form.wording })?.version).toBe('form-2026-11-20')
  })
})
