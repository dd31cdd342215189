import type Router from '@koa/router'
import type { Context } from 'koa'
import { asksForNumber, correctNumber } from '../../core/commands/leads/correct-number.ts'
import { Phone } from '../../core/contract/forms.ts'
import { PHONE_NUMBER_PATH, type PhoneNumberPage } from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { markOf, type RequestLink, verifyRequestLink } from '../../core/rules/request-links.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { isSuppressed } from '../../core/stores/suppressions.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

/** The most requests of one address in a minute. */
const MAX_PER_MINUTE = 20
const TOO_MANY = 'Too many requests came from your network. Please try again in a minute.'

export const isPhoneNumberPage = (path: string) => /^\/phone-number\/[^/]+$/.test(path)

/**
 * Registers the page that asks a visitor for the right phone number. The signed token authorizes it, until a number was given.
 * A GET changes nothing, because mail scanners open every link.
 */
export function phoneNumberPageRoutes(router: Router, { db, env, relay }: Services, pages: Pages): void {
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const limit = rateLimit(MAX_PER_MINUTE, TOO_MANY)

  router.get(PHONE_NUMBER_PATH, limit, async (ctx: Context) => {
    await show(ctx, await look(verifyRequestLink(linkKey, ctx.params.token ?? '')))
  })

  router.post(PHONE_NUMBER_PATH, limit, async (ctx: Context) => {
    const link = verifyRequestLink(linkKey, ctx.params.token ?? '')
    const seen = await look(link)
    await show(ctx, link && seen.state === 'ask' ? await take(ctx, link, seen) : seen)
  })

  /** Returns what the link asks now. */
  async function look(link: RequestLink | null): Promise<PhoneNumberPage> {
    if (link?.of !== 'visitor') return { state: 'invalid' }
    const lead = await leads.find(db, link.leadId)
    // The link ends when staff correct the visitor's address.
    const isTheirs = lead && link.recipient === markOf(linkKey, lead.email)
    const asks = isTheirs && (await asksForNumber(db, link, lead)) && !(await isSuppressed(db, personKey, lead))
    if (!asks) return { state: 'over' }
    const provider = await providers.find(db, link.providerId)
    return { state: 'ask', clinic: provider?.practiceName || provider?.name }
  }

  async function take(
    ctx: Context,
    link: RequestLink,
    seen: Extract<PhoneNumberPage, { state: 'ask' }>,
  ): Promise<PhoneNumberPage> {
    const { phone: typed } = (ctx.request.body ?? {}) as { phone?: unknown }
    const phone = Phone.safeParse(typed)
    const refused = { ...seen, typed: typeof typed === 'string' ? typed : '' }
    if (!phone.success) return { ...refused, error: phone.error.issues[0]?.message ?? 'Please enter a phone number' }
    try {
      await correctNumber(db, link, phone.data, { personKey })
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid') return { ...refused, error: error.message }
      // Something happened to the lead since the page looked.
      if (error instanceof AppError) return { state: 'over' }
      throw error
    }
    relay.wake()
    return { state: 'done' }
  }

  async function show(ctx: Context, phoneNumber: PhoneNumberPage): Promise<void> {
    // Not a clinic's own site, whose advertising could learn the address.
    const site = { origin: env.PUBLIC_URL, provider: null }
    const rendered = await pages.render(site, { path: PHONE_NUMBER_PATH, querystring: '' }, { phoneNumber })
    ctx.status = statusOf(phoneNumber)
    await answerPage(ctx, pages, rendered)
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
  }
}

function statusOf(page: PhoneNumberPage): number {
  if (page.state === 'invalid') return 404
  return page.state === 'ask' && page.error !== undefined ? 422 : 200
}
