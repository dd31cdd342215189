import type Router from '@koa/router'
import type { Context } from 'koa'
import { Phone } from '../../core/contract/forms.ts'
import {
  CALLED_PATH,
  type CalledPage,
  CLINIC_OPT_OUT_PATH,
  OPT_OUT_PATH,
  type OptOutPage,
  PHONE_NUMBER_PATH,
  type PhoneNumberPage,
  VISITOR_ANSWERS,
  type VisitorAnswer,
} from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { answerQuestion, asksForNumber, correctNumber, isOpenQuestion } from '../../core/leads/answers.ts'
import { markOf, type RequestLink, readRequestLink, verifyRequestLink } from '../../core/leads/rules/request-links.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type OptOutLink, optOutLink } from '../../core/privacy/rules/opt-outs.ts'
import { confirmClinicOptOut, stopContactByLink } from '../../core/privacy/stop-contact.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { areListed, isSuppressed } from '../../core/privacy/stores/suppressions.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

const MAX_PER_MINUTE = 60
const TOO_MANY = 'Too many requests came from your network. Please try again in a minute.'

export const isCalledPage = (path: string) => /^\/called\/[^/]+$/.test(path)

/** The token authorizes the page. A GET only chooses an answer, because mail scanners open links. A POST records it. */
export function calledPageRoutes(router: Router, { db, env }: Services, pages: Pages): void {
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const limit = rateLimit(MAX_PER_MINUTE, TOO_MANY)

  router.get(CALLED_PATH, limit, async (ctx) => {
    const link = readRequestLink(linkKey, ctx.params.token ?? '')
    await show(ctx, { ...(await look(link)), answer: answerIn(ctx) })
  })

  router.post(CALLED_PATH, limit, async (ctx) => {
    const link = readRequestLink(linkKey, ctx.params.token ?? '')
    const answer = answerIn(ctx)
    const seen = await look(link)
    if (link && answer && seen.state === 'ask') seen.state = await act(link, answer)
    await show(ctx, { ...seen, answer })
  })

  /** Returns what the link asks now. */
  async function look(link: RequestLink | null): Promise<CalledPage> {
    if (link?.of !== 'visitor') return { state: 'invalid' }
    const lead = await leads.find(db, link.leadId)
    if (
      !lead ||
      !isOpenQuestion(link, lead) ||
      !isMailedTo(link, lead.email) ||
      (await isSuppressed(db, personKey, lead))
    )
      return { state: 'over' }
    const provider = await providers.find(db, link.providerId)
    return { state: 'ask', clinic: provider?.practiceName || provider?.name }
  }

  /** Returns whether the link was mailed to this address: staff may have corrected one that is somebody else's. */
  function isMailedTo({ recipient }: RequestLink, email: string): boolean {
    return recipient === undefined || recipient === markOf(linkKey, email)
  }

  async function act(link: RequestLink, answer: VisitorAnswer): Promise<CalledPage['state']> {
    try {
      await answerQuestion(db, link, answer)
    } catch (error) {
      // Something happened to the lead since the page looked.
      if (error instanceof AppError) return 'over'
      throw error
    }
    return 'done'
  }

  const show = (ctx: Context, called: CalledPage) =>
    showPage(ctx, { env, pages }, CALLED_PATH, { called }, called.state)
}

/** Shows the page of a link. Never on a clinic's own site, whose advertising could learn the address. */
async function showPage(
  ctx: Context,
  { env, pages }: Pick<Services, 'env'> & { pages: Pages },
  path: string,
  data: Parameters<Pages['render']>[2],
  state: string,
): Promise<void> {
  const rendered = await pages.render({ origin: env.PUBLIC_URL, provider: null }, { path, querystring: '' }, data)
  ctx.status = { invalid: 404, refused: 422 }[state] ?? 200
  await answerPage(ctx, pages, rendered)
  ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
}

function answerIn(ctx: Context): VisitorAnswer | undefined {
  const typed = new URLSearchParams(ctx.querystring).get('answer')
  return VISITOR_ANSWERS.find((answer) => answer === typed)
}

const MAX_CORRECTIONS_PER_MINUTE = 20

export const isPhoneNumberPage = (path: string) => /^\/phone-number\/[^/]+$/.test(path)

/** The token authorizes the page until a number was given. A GET changes nothing: mail scanners open every link. */
export function phoneNumberPageRoutes(router: Router, { db, env }: Services, pages: Pages): void {
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const limit = rateLimit(MAX_CORRECTIONS_PER_MINUTE, TOO_MANY)

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
    return { state: 'done' }
  }

  const show = (ctx: Context, phoneNumber: PhoneNumberPage) =>
    showPage(
      ctx,
      { env, pages },
      PHONE_NUMBER_PATH,
      { phoneNumber },
      'error' in phoneNumber ? 'refused' : phoneNumber.state,
    )
}

const AUDIENCE = { [OPT_OUT_PATH]: 'person', [CLINIC_OPT_OUT_PATH]: 'clinic' } as const

/** The most requests of one address in a minute. Mail providers post for many people from few addresses. */
const MAX_OPT_OUTS_PER_MINUTE = 120

export const isOptOutPage = (path: string): path is keyof typeof AUDIENCE => path in AUDIENCE

/**
 * Registers the pages of the links in emails. A GET changes nothing, because mail scanners open every link. A POST to the
 * same address acts at once (RFC 8058). It is accepted from any origin and without a cookie; the signed token authorizes it.
 */
export function optOutPageRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env } = services
  const linkKey = deriveKey(env.DATA_KEY, 'opt-out-link')
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const limit = rateLimit(MAX_OPT_OUTS_PER_MINUTE, TOO_MANY)

  for (const path of [OPT_OUT_PATH, CLINIC_OPT_OUT_PATH] as const) {
    router.get(path, limit, async (ctx) => {
      await answer(ctx, path, await look(linkOf(ctx, path)))
    })
    router.post(path, limit, async (ctx) => {
      await answer(ctx, path, await act(linkOf(ctx, path)))
    })
  }

  /** Returns the link of a request, or null if its token is invalid or belongs to the other page. */
  function linkOf(ctx: Context, path: keyof typeof AUDIENCE): OptOutLink | null {
    const link = optOutLink.read(linkKey, new URLSearchParams(ctx.querystring).get('t') ?? '')
    return link?.of === AUDIENCE[path] ? link : null
  }

  async function look(link: OptOutLink | null): Promise<Omit<OptOutPage, 'of'>> {
    if (!link) return { state: 'invalid' }
    if (link.of === 'person') return { state: (await areListed(db, link.hashes)) ? 'already' : 'ask' }
    const [asked] = await suppressions.find(db, { id: link.optOutId })
    if (!asked) return { state: 'invalid' }
    return { state: asked.confirmed_at ? 'already' : 'ask', leadId: asked.lead_id }
  }

  async function act(link: OptOutLink | null): Promise<Omit<OptOutPage, 'of'>> {
    const seen = await look(link)
    if (!link || seen.state !== 'ask') return seen
    const isNew =
      link.of === 'person'
        ? await stopContactByLink(db, link, context)
        : await confirmClinicOptOut(db, link.optOutId, { actor: 'clinic' })
    return { ...seen, state: isNew ? 'done' : 'already' }
  }

  const answer = (ctx: Context, path: keyof typeof AUDIENCE, page: Omit<OptOutPage, 'of'>) =>
    showPage(ctx, { env, pages }, path, { optOut: { of: AUDIENCE[path], ...page } }, page.state)
}
