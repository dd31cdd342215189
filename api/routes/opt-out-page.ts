import type Router from '@koa/router'
import type { Context } from 'koa'
import { confirmClinicOptOut } from '../../core/commands/opt-outs/allow-contact.ts'
import { stopContactByLink } from '../../core/commands/opt-outs/stop-contact.ts'
import { CLINIC_OPT_OUT_PATH, OPT_OUT_PATH, type OptOutPage } from '../../core/contract/page.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type OptOutLink, optOutLink } from '../../core/rules/opt-out-links.ts'
import * as clinicOptOuts from '../../core/stores/clinic-opt-outs.ts'
import { areListed } from '../../core/stores/suppressions.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

/** The audience of the page at a path. */
const AUDIENCE = { [OPT_OUT_PATH]: 'person', [CLINIC_OPT_OUT_PATH]: 'clinic' } as const

/** The most requests of one address in a minute. Mail providers post for many people from few addresses. */
const MAX_PER_MINUTE = 120
const TOO_MANY = 'Too many requests came from your network. Please try again in a minute.'

export const isOptOutPage = (path: string): path is keyof typeof AUDIENCE => path in AUDIENCE

/**
 * Registers the pages of the links in e-mails. A GET changes nothing, because mail scanners open every link. A POST to the
 * same address acts at once (RFC 8058). It is accepted from any origin and without a cookie; the signed token authorizes it.
 */
export function optOutPageRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env } = services
  const linkKey = deriveKey(env.DATA_KEY, 'opt-out-link')
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const limit = rateLimit(MAX_PER_MINUTE, TOO_MANY)

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
    const [asked] = await clinicOptOuts.find(db, { id: link.optOutId })
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

  async function answer(ctx: Context, path: keyof typeof AUDIENCE, page: Omit<OptOutPage, 'of'>): Promise<void> {
    const told = { optOut: { of: AUDIENCE[path], ...page } }
    const rendered = await pages.render(await pages.siteOf(ctx), { path, querystring: '' }, told)
    ctx.status = page.state === 'invalid' ? 404 : 200
    await answerPage(ctx, pages, rendered)
    ctx.set('Cache-Control', 'no-store')
  }
}
