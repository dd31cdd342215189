import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { clinicPartPath, REQUEST_PATH, requestUrl } from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { answerRequest, openRequest } from '../../core/leads/answers.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { AnswerForm, type RequestPage, type TypedAnswer } from '../../core/leads/contract/outcomes.ts'
import { type RequestLink, tokenFor, verifyRequestLink } from '../../core/leads/rules/request-links.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import * as requests from '../../core/leads/stores/requests.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { calendarEntry } from '../../core/providers/rules/phone-files.ts'
import { findClinic } from '../middleware/clinic-session.ts'
import { refuse } from '../middleware/errors.ts'
import { answerRetryPage, textsOf } from '../middleware/plain-form.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const MAX_PER_MINUTE = 60
const TOO_MANY = 'Too many requests came from your network.'

export const isRequestPage = (path: string) => /^\/r\/[^/]+$/.test(path)

type Request = { link: RequestLink; lead: Lead }

/**
 * Registers the page of a clinic for a request. The signed token of the address authorizes it, without a session, and is
 * in no log line, because routes are logged by their pattern. A GET records that the page was opened and nothing else,
 * because mail scanners follow links. An answer is a POST. One function, because its steps share the keys of the links.
 */
export function requestPageRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env, log, readings } = services
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const before = [privately, orRetry, rateLimit(MAX_PER_MINUTE, TOO_MANY)]

  router.get(REQUEST_PATH, ...before, async (ctx: Context) => {
    const found = await find(ctx)
    if ('because' in found) return show(ctx, found)
    const { link, lead } = found
    if (ctx.method === 'GET') {
      await readings.noteClinic(ctx, link.providerId, [lead.id])
      if (lead.outcome === null) await openRequest(db, link)
    }
    const { calendar, answer = '' } = Object.fromEntries(new URLSearchParams(ctx.querystring))
    const page = await requestPage(ctx, found, { answer })
    const { booked_for: day, at } = page.request.current ?? { booked_for: null, at: '' }
    if (calendar === undefined || day === null) return show(ctx, page, link.providerId)
    ctx.attachment(`appointment-${lead.id}.ics`)
    ctx.type = 'text/calendar; charset=utf-8'
    ctx.body = calendarEntry(lead, day, at, new URL(env.PUBLIC_URL).hostname)
  })

  router.post(REQUEST_PATH, ...before, async (ctx: Context) => {
    const found = await find(ctx)
    if ('because' in found) return show(ctx, found)
    return takeAnswer(ctx, found, textsOf(ctx.request.body))
  })

  /** Follows the link of a request. Every invalid token gets the same answer for the same work. */
  async function find(ctx: Context): Promise<Request | Extract<RequestPage, { state: 'ended' }>> {
    const link = verifyRequestLink(linkKey, ctx.params.token)
    if (link?.of !== 'clinic') return { state: 'ended', because: 'invalid' }
    const lead = await requests.follow(db, link, { personKey, linkKey })
    return typeof lead === 'string' ? { state: 'ended', because: lead, leadId: link.leadId } : { link, lead }
  }

  async function takeAnswer(ctx: Context, found: Request, typed: Record<string, string>): Promise<void> {
    const { link, lead } = found
    const form = readForm(typed)
    if (form instanceof AppError) {
      ctx.status = form.status
      return show(ctx, await requestPage(ctx, found, typed, form.fields), link.providerId)
    }
    if ((form.answer === 'stop' || form.answer === 'wrong_person') && !form.confirmed) {
      const name = `${lead.first_name} ${lead.last_name}`
      return show(ctx, { state: 'stop', answer: form.answer, leadId: lead.id, name, note: form.note ?? '' })
    }
    await answerRequest(db, link, form, { key: personKey, timeZone: env.NETWORK_TIME_ZONE })
    // Without the query, which preselects an answer.
    seeOther(ctx, ctx.path)
  }

  async function requestPage(ctx: Context, { link, lead }: Request, typed: TypedAnswer, errors = {}) {
    const request = await requests.read(db, lead, link.providerId)
    const waiting = request.current && (await findWaiting(ctx, link))
    return { state: 'open', request, now: new Date().toISOString(), typed, errors, waiting } as const
  }

  /**
   * Counts the other requests that wait for the clinic, and finds the way to the next. A link may have been forwarded, so it opens
   * no other request: only a browser that is signed in to the clinic gets there at once, and any other signs in first.
   */
  async function findWaiting(ctx: Context, { leadId, providerId }: RequestLink) {
    const waiting = await requests.listWaiting(db, providerId, { limit: 2, key: personKey })
    const next = waiting.leads.find(({ id }) => id !== leadId)
    if (!next) return null
    const count = waiting.total - Number(waiting.leads.some(({ id }) => id === leadId))
    const session = await findClinic(ctx, services)
    const lead = session?.id === providerId ? await leads.find(db, next.id) : null
    const mailed = { of: 'clinic', mailedAt: new Date().toISOString(), to: session?.email ?? '' } as const
    const token = lead && tokenFor(linkKey, lead, mailed)
    return { count, url: token ? requestUrl('', REQUEST_PATH, token) : clinicPartPath('requests') }
  }

  /** @param providerId the clinic whose time zone the page is in; none for a page without times */
  async function show(ctx: Context, request: RequestPage, providerId?: number): Promise<void> {
    const address = { path: REQUEST_PATH, querystring: '' }
    const timeZone =
      providerId === undefined ? undefined : await answerClocks.findTimeZone(db, providerId, env.NETWORK_TIME_ZONE)
    const extra = { request, ...(timeZone && { timeZone }) }
    const page = await pages.render({ origin: env.PUBLIC_URL, provider: null }, address, extra)
    if (request.state === 'ended') ctx.status = END_STATUS[request.because]
    else if (ctx.status === 404) ctx.status = 200
    await answerPage(ctx, pages, page)
  }

  /** Answers an error with a page that keeps what was typed. After the request has ended, its page says so. */
  async function orRetry(ctx: Context, next: () => Promise<void>): Promise<void> {
    try {
      await next()
    } catch (error) {
      const isOver = error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')
      if (isOver && ctx.method === 'POST') return seeOther(ctx, ctx.path)
      const values =
        ctx.method === 'POST' ? textsOf(ctx.request.body) : Object.fromEntries(new URLSearchParams(ctx.querystring))
      answerRetryPage(ctx, values, refuse(ctx, error, log))
    }
  }
}

/** The status of a link that shows no request. */
const END_STATUS = {
  ...{ invalid: 404, held: 404 },
  ...{ expired: 410, deleted: 410, opted_out: 410, passed_on: 410, taken_back: 410, replaced: 410 },
  ...{ other_address: 410, left: 410, number_stopped: 410 },
} as const

/** Keeps the address of the page, which authorizes, from other sites, caches and search engines. */
const privately: Middleware = async (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('X-Robots-Tag', 'noindex')
  await next()
}

function readForm(typed: Record<string, string>): AnswerForm | AppError {
  try {
    return parse(AnswerForm, typed)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error
    throw error
  }
}

/** Leads the browser to a page by GET, so that a reload sends nothing again. */
function seeOther(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}
