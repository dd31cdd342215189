import { describe, expect, it } from 'vitest'
import { addressKey } from '../../api/middleware/proxy.ts'
import { NewApplication } from '../../core/applications/contract/applications.ts'
import { IdempotencyKey, NewLead } from '../../core/contract/forms.ts'
import { namedProvider } from '../../core/contract/page.ts'
import { LeadListQuery } from '../../core/leads/contract/leads.ts'
import { searchTerms } from '../../core/leads/rules/search.ts'
import { HostnameParams, ProviderListQuery } from '../../core/providers/contract/providers.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { retryAfter } from '../../worker/http.ts'
import { answerOf, refusalOf } from '../../worker/senders/hubspot-answers.ts'
import { mailRefusal } from '../../worker/senders/mail-refusal.ts'
import { mapPost } from '../../worker/sync/mapping.ts'
import { codeOf } from '../../worker/sync/wordpress.ts'
import { leadForm } from '../support/factories.ts'

/** Pieces that make a careless regular expression try every way to divide them. */
const PIECES = [
  '<',
  '<a ',
  '<!--',
  '&',
  '&#',
  '&amp',
  ' ',
  '\t\n',
  'a',
  'a@',
  '@a.',
  '.',
  '-',
  '1',
  '1-',
  '0.',
  '4.4.',
  '550 ',
  '\\"',
  'Property "a',
  'Property \\',
  ':',
  '/',
  'http://',
  '%',
  ',',
  "'",
  'e\u0301',
  '\ud800',
  '\u2028',
]
/** Long enough that quadratic time is beyond the limit of a test, and short enough that it ends. */
const LENGTH = 50_000
const TEXTS = PIECES.map((piece) => piece.repeat(Math.ceil(LENGTH / piece.length)))
/** A list in a list in a list: what recursion does not survive. */
const NESTED = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))

const FORM_FIELDS = [...Object.keys(leadForm()), 'attribution', 'topic', 'practice_name', 'website', 'message']
const POST_FIELDS = ['name', 'zip_code', 'email', 'phone', 'latitude', 'website', 'domain', 'image_url', 'active']

const hubspotProblem = (text: string) => ({
  category: text,
  message: text,
  policyName: text,
  context: { ids: [text] },
  errors: [{ code: text, message: text, context: { propertyName: [text] } }],
})

/** Runs a reader that refuses by throwing a DeliveryError. */
function settled(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
  }
}

/** Everything that reads text from outside. None may throw but what its callers expect, or take more than linear time. */
const READERS: Record<string, (text: string) => unknown> = {
  'the posts of WordPress': (text) =>
    POST_FIELDS.map((field) =>
      mapPost(
        { id: 1, title: { rendered: text }, acf: { [field]: text }, meta: { [field]: text } },
        { site: 'https://clinics.example' },
      ),
    ),
  'the errors of WordPress': (text) => codeOf({ code: text }, 500),
  'the answers of HubSpot': (text) =>
    [[{ id: text }], []].map((results) => settled(() => answerOf({ results, errors: [hubspotProblem(text)] }, 207))),
  'the refusals of HubSpot': (text) => refusalOf(hubspotProblem(text), new Response(null, { status: 400 })),
  'the answers of a mail server': (text) =>
    mailRefusal(Object.assign(new Error(text), { code: 'EENVELOPE', response: `550 ${text}` })),
  'the detail of a failure': (text) =>
    new DeliveryError('The CRM refused the lead.', { cause: 'refused', retry: 'never', detail: text }),
  'Retry-After': (text) => retryAfter(text),
  'the lead form': (text) => FORM_FIELDS.map((field) => NewLead.safeParse({ ...leadForm(), [field]: text })),
  'the clinic’s application': (text) => FORM_FIELDS.map((field) => NewApplication.safeParse({ [field]: text })),
  'Idempotency-Key': (text) => IdempotencyKey.safeParse(text),
  'the filter of leads': (text) =>
    Object.keys(LeadListQuery.shape).map((name) => LeadListQuery.safeParse({ [name]: text })),
  'the search for leads': (text) => searchTerms(text),
  'the list of providers': (text) => ProviderListQuery.safeParse({ ids: text }),
  'a host name': (text) => HostnameParams.safeParse({ hostname: text }),
  'an address of a visitor': (text) => addressKey(text),
  'the address of a page': (text) => namedProvider(new URLSearchParams({ providerId: text })),
}

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it('are read in linear time, however hostile', () => {
    for (const text of TEXTS) expect(() => read(text)).not.toThrow()
  })
})

it('reads posts of lists within lists', () => {
  for (const field of POST_FIELDS) {
    const post = { id: 1, title: { rendered: NESTED }, acf: { [field]: NESTED } }
    expect(mapPost(post, { site: 'https://clinics.example' }).problems).not.toEqual([])
  }
})
