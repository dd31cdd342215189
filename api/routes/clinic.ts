import { REQUEST_PATH, requestUrl } from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { tokenFor } from '../../core/leads/rules/request-links.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as requests from '../../core/leads/stores/requests.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import {
  addPerson,
  changePerson,
  changeRules,
  decideNewEmail,
  findClinicLink,
  removePerson,
  signInClinic,
} from '../../core/providers/change-provider.ts'
import * as calls from '../../core/providers/contract/clinic.ts'
import type { NetworkFigures } from '../../core/providers/contract/provider-record.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import * as providerRecord from '../../core/providers/stores/provider-record.ts'
import * as providerRules from '../../core/providers/stores/provider-rules.ts'
import { csv, inPieces } from '../../core/staff/rules/exports.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import { collecting } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { clinicCookie, findClinic, isKnownBrowser, setKnownCookie } from '../middleware/clinic-session.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

/** The most links that one address may ask for in a minute. */
const MAX_LINKS = 10
/** The period of the figures that a clinic sees, in days: one of those of its record. */
const FIGURE_DAYS = 90
const TOO_MANY = 'Too many links were requested from your network. Please try again in a minute.'

/** Registers the calls of a clinic's own pages. One function, because each call is a few lines that share the keys. */
export function clinicRoutes(handle: Handle, services: Services, networkFigures: () => Promise<NetworkFigures>): void {
  const { db, env, readings } = services
  const limit = rateLimit(MAX_LINKS, TOO_MANY)
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')

  const sessionOf = async (clinic: clinicLinks.SignedInClinic | null): Promise<calls.ClinicSession> => ({
    clinic: clinic && { id: clinic.id, name: clinic.name, practiceName: clinic.practiceName, email: clinic.email },
    time_zone: clinic ? await timeZoneOf(clinic.id) : env.NETWORK_TIME_ZONE,
  })
  const timeZoneOf = (id: number) => answerClocks.findTimeZone(db, id, env.NETWORK_TIME_ZONE)

  handle(calls.getClinicSession, async ({ ctx }) => sessionOf(await findClinic(ctx, services)))

  handle(calls.requestClinicLink, limit, async ({ ctx, body: { email, page: part } }) => {
    await clinicLinks.request(db, email, { part, isKnown: isKnownBrowser(ctx, services, email) })
  })

  handle(calls.findClinicLink, ({ body: { token } }) => findClinicLink(db, token))

  handle(calls.signInClinic, async ({ ctx, body: { token } }) => {
    const device = { ip: ctx.ip, userAgent: ctx.get('user-agent') }
    const session = await signInClinic(db, token, device)
    clinicCookie.set(ctx, services, session)
    const clinic = await clinicLinks.findSession(db, session)
    if (clinic) setKnownCookie(ctx, services, clinic.email)
    return sessionOf(clinic)
  })

  handle(calls.signOutClinic, async ({ ctx }) => {
    const token = clinicCookie.read(ctx, services)
    if (token) await clinicLinks.end(db, token)
    clinicCookie.set(ctx, services, null)
    return sessionOf(null)
  })

  handle(calls.listClinicRequests, async ({ ctx, clinic, query }) => {
    const link = { of: 'clinic', mailedAt: new Date().toISOString(), to: clinic.email } as const
    const list = await requests.list(db, clinic.id, query, personKey, (lead) =>
      requestUrl('', REQUEST_PATH, tokenFor(linkKey, lead, link) ?? ''),
    )
    await readings.noteClinic(
      ctx,
      clinic.id,
      list.requests.map(({ id }) => id),
    )
    return list
  })

  handle(calls.exportClinicRequests, async ({ ctx, clinic }) => {
    const { columns, rows } = requests.exported(db, clinic.id, await timeZoneOf(clinic.id), personKey)
    const ids: number[] = []
    const pieces: string[] = []
    for await (const piece of inPieces(csv(columns, collecting(ids, rows)))) pieces.push(piece)
    const details = { by: clinic.email, rows: ids.length }
    await auditLog.record(db, { actor: 'clinic', action: 'export', entity: 'provider', entityId: clinic.id, details })
    await readings.noteClinic(ctx, clinic.id, ids)
    ctx.attachment('requests.csv')
    ctx.type = 'text/csv; charset=utf-8'
    ctx.body = pieces.join('')
  })

  /** Reads what the clinic made of its requests, beside the median clinic of the network. */
  async function readFigures(id: number): Promise<calls.ClinicFigures> {
    const [own, others, months] = await Promise.all([
      providerRecord.readFigures(db, id),
      networkFigures(),
      timeZoneOf(id).then((zone) => requests.listMonths(db, id, zone)),
    ])
    const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
    // Without another clinic, the median of the network would be the clinic's own.
    const beside = (figure: number | null, median: number | null) => ({
      own: figure,
      network: others.clinics > 1 ? median : null,
    })
    return {
      ...{ days: FIGURE_DAYS, months },
      answer_time: beside(own.answer_time, others.answer_time),
      answered_in_time: beside(share(own.in_time, own.timed), others.in_time),
      reached: beside(share(own.reached, own.requests), others.reached),
      booked: beside(share(own.booked, own.requests), others.booked),
    }
  }

  handle(calls.getClinicSettings, ({ clinic }) => readSettings(clinic.id))

  handle(calls.changeClinicSettings, async ({ clinic, body }) => {
    await changeRules(db, clinic.id, body, { actor: 'clinic' })
    return readSettings(clinic.id)
  })

  /** Reads what the clinic decides itself. The other rules are the network's. */
  const readSettings = async (id: number) => {
    const [rules, people, new_email, figures] = await Promise.all([
      providerRules.find(db, id),
      clinicPeople.list(db, id),
      clinicPeople.findAsked(db, id),
      readFigures(id),
    ])
    return calls.ClinicSettings.parse({ ...rules, people, new_email, figures })
  }

  handle(calls.addClinicPerson, ({ clinic, body: { email } }) => addPerson(db, clinic, email))

  handle(calls.changeClinicPerson, async ({ clinic, params: { id }, body: { gets } }) => {
    if (gets) requireFresh(clinic)
    await changePerson(db, clinic, id, gets)
  })

  handle(calls.removeClinicPerson, ({ clinic, params: { id } }) => removePerson(db, clinic, id))

  handle(calls.confirmClinicEmail, async ({ clinic, body: { email } }) => {
    requireFresh(clinic)
    await decideNewEmail(db, clinic.id, { email, decision: 'confirm' }, { actor: 'clinic' })
  })
}

/** Requires that the mailbox was proved within the last hour, for acts that redirect personal data. @throws AppError */
function requireFresh({ isFresh }: clinicLinks.SignedInClinic): void {
  if (!isFresh)
    throw new AppError('forbidden', 'Please sign out and sign in again first: this changes who gets the requests.')
}
