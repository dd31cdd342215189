import type Router from '@koa/router'
import type { Context } from 'koa'
import { answerQuestion, isOpenQuestion } from '../../core/commands/leads/answer-question.ts'
import { CALLED_PATH, type CalledPage, VISITOR_ANSWERS, type VisitorAnswer } from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { markOf, type RequestLink, readRequestLink } from '../../core/rules/request-links.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { isSuppressed } from '../../core/stores/suppressions.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

/** The most requests of one address in a minute. */
const MAX_PER_MINUTE = 60
const TOO_MANY = 'Too many requests came from your network. Please try again in a minute.'

export const isCalledPage = (path: string) => /^\/called\/[^/]+$/.test(path)

/**
 * Registers the page behind the question to a visitor whether the clinic called. A GET changes nothing, because mail scanners
 * open every link: the answer in the address is only chosen. A POST records it. The signed token authorizes it.
 */
export function calledPageRoutes(router: Router, { db, env, relay }: Services, pages: Pages): void {
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
    relay.wake()
    return 'done'
  }

  async function show(ctx: Context, called: CalledPage): Promise<void> {
    // Not a clinic's own site, whose advertising could learn the address.
    const site = { origin: env.PUBLIC_URL, provider: null }
    const rendered = await pages.render(site, { path: CALLED_PATH, querystring: '' }, { called })
    ctx.status = called.state === 'invalid' ? 404 : 200
    await answerPage(ctx, pages, rendered)
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
  }
}

/** Returns the answer in the address, if it is one. */
function answerIn(ctx: Context): VisitorAnswer | undefined {
  const typed = new URLSearchParams(ctx.querystring).get('answer')
  return VISITOR_ANSWERS.find((answer) => answer === typed)
}
