import { type HeldReason, type NewLead, NOTIFIED_HOURLY } from '../contract/forms.ts'
import { HOUR, MINUTE } from '../contract/time.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import { deriveKey } from '../platform/data-key.ts'
import { createBatcher, type Db, isDataError, only, queryTogether, type Transaction } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { type PersonHash, personHashes } from '../privacy/rules/opt-outs.ts'
import type { Visit } from '../privacy/stores/consents.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import * as providerRules from '../providers/stores/provider-rules.ts'
import { needsLock } from './assign-provider.ts'
import { decideRepeat, type Repeat, repeatKey, storedKey } from './rules/duplicates.ts'
import { type CapsEnv, exceededCap, heldReason, mailCaps, type RecentForms, recipientOf } from './rules/holds.ts'
import { type Candidates, chooseProvider, type Match, type NoMatch, withRepeat } from './rules/matching.ts'
import { createInserter, type SubmittedLead, storeLead } from './store-lead.ts'
import { candidatesQuery, type FoundRow, findCandidates } from './stores/candidates.ts'
import {
  type EarlierRow,
  earlierQuery,
  isRepeated,
  limitOf,
  type RecentRow,
  recentFormsQuery,
} from './stores/repeats.ts'

type Decided = { clinic: number | null; reason: HeldReason | null; decidedAt: number }

/** Counts the forms that each network has sent within an hour, and takes forms of one kind one after the other. */
export type FormCounts = ReturnType<typeof createFormCounts>

/** Makes counts that this process keeps in memory only, so that no address is stored for them. */
function createFormCounts() {
  /** The times of the forms of a network. The network with the newest form is the last. */
  const timesOf = new Map<string, number[]>()
  /** Those of the last minute, the newest last. */
  let decided: Decided[] = []
  const turns = new Map<string, Promise<unknown>>()

  const recent = (network: string) => (timesOf.get(network) ?? []).filter((time) => time > Date.now() - HOUR)

  return {
    read: (network: string | null): number => (network === null ? 0 : recent(network).length),

    add(network: string | null): void {
      if (network === null) return
      const times = [...recent(network), Date.now()]
      timesOf.delete(network)
      timesOf.set(network, times)
      for (const [other, others] of timesOf) {
        if ((others.at(-1) ?? 0) > Date.now() - HOUR) break
        timesOf.delete(other)
      }
    },

    /** Notes what was decided about a lead. Returns the function that notes its end: a lead that was not stored counts no more. */
    decide(lead: {
      network: string | null
      clinic: number | null
      reason: HeldReason | null
    }): (isNew: boolean) => void {
      const entry = { ...lead, decidedAt: performance.now() }
      decided.push(entry)
      if ((decided[0]?.decidedAt ?? 0) < entry.decidedAt - 2 * MINUTE)
        decided = this.decidedSince(entry.decidedAt - MINUTE)
      this.add(lead.network)
      return (isNew) => {
        if (!isNew) decided = decided.filter((other) => other !== entry)
        if (!isNew && lead.network !== null) timesOf.get(lead.network)?.pop()
      }
    },

    /** Lists the leads that were decided on since a moment (`performance.now()`), so that what was read then does not count them. */
    decidedSince(moment: number): Decided[] {
      return decided.slice(1 + decided.findLastIndex(({ decidedAt }) => decidedAt < moment))
    },

    /** Runs `take` after all others of the same key, so that each counts those before it. */
    inTurn<Taken>(key: string, take: () => Promise<Taken>): Promise<Taken> {
      const taken = (turns.get(key) ?? Promise.resolve()).then(take)
      const ended = taken.catch(() => {}).then(() => void (turns.get(key) === ended && turns.delete(key)))
      turns.set(key, ended)
      return taken
    },
  }
}

export type LeadForm = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  visit: Visit
  /** The network that sent it; null for one that is not counted. */
  network?: string | null
  /** Whether staff have entered it: then only a wish not to be contacted holds it. */
  isByStaff?: boolean
  /** Whether staff test their setup with it: then earlier requests do not matter, and it counts nowhere. */
  isTest?: boolean
  requestId?: string | null
}

type IntakeEnv = CapsEnv & Pick<Env, 'MATCH_RADIUS_MILES' | 'DATA_KEY'>
type Services = {
  db: Db
  env: IntakeEnv
  log: Logger
  counts: FormCounts
  read: (form: LeadForm) => Promise<Facts>
  /** Missing under the lock of the caps. */
  insertOne: ReturnType<typeof createInserter> | undefined
}

/** Takes leads. A process has one, because it counts forms and groups those that come at the same time. */
export type Intake = ReturnType<typeof createIntake>

/**
 * Forms that come while others are read are read next, together: one each, two cores took half as many forms a second
 * (`npm run bench -- submit`), because a statement of this size takes PostgreSQL longer to prepare than to run.
 */
export function createIntake(of: { db: Db; env: IntakeEnv; log: Logger }) {
  const counts = createFormCounts()
  const read = createBatcher((forms: LeadForm[]) => readAll(of, forms), { linger: 5 })
  const services: Services = { ...of, counts, read, insertOne: createInserter(of.db) }
  return {
    counts,

    /**
     * Takes a lead: reads what is known, finds its provider, and stores it with the jobs that it needs. Holds a lead of a person
     * who asked not to be contacted, one that looks automated, and one that is too many within an hour: of one mailbox, of one
     * network, for one clinic or in all. A lead for a provider that has a cap is matched again, and stored, under the lock of the caps.
     *
     * @throws AppError `invalid` when the idempotency key was used for another form
     */
    // Forms for one mailbox are counted one after the other, so that its cap holds.
    submit: (form: LeadForm): Promise<SubmittedLead> =>
      counts.inTurn(recipientOf(form.lead.email), () => take(services, form)),
  }
}

async function take(services: Services, form: LeadForm): Promise<SubmittedLead> {
  const { db, env, log } = services
  const facts = await services.read(form)
  const match = chooseFor(facts, env)
  if (!needsLock(match)) return store(services, form, facts, match)
  try {
    const underLock = async (trx: Transaction) => {
      await providerRules.lockCaps(trx)
      const readAt = performance.now()
      const [candidates] = await findCandidates(trx, [wantedBy(form)], optionsOf(env))
      return store(
        { ...services, db: trx, insertOne: undefined },
        form,
        { ...facts, readAt },
        chooseFor({ ...facts, candidates }, env),
      )
    }
    // In turn, so that those that wait for the lock do not take all connections.
    return await services.counts.inTurn('caps', () => db.transaction(underLock))
  } catch (error) {
    if (error instanceof AppError || isDataError(error as Error)) throw error
    log.warn({ err: error }, 'matching within caps failed; a job will do it')
    return store(services, form, facts, UNMATCHED)
  }
}

const UNMATCHED: NoMatch = { providerId: null, nearestMiles: null }

/** What decides about a form, read at a moment (`performance.now()`). `candidates` is missing where matching failed. */
type Facts = {
  readAt: number
  repeat: Repeat
  candidates?: Candidates
  ways: Set<PersonHash['kind']>
  recent: Pick<RecentForms, 'visitor' | 'all'> & { notified: HeldReason[] }
}

type Rows = { listed: { hash: string }; recent: RecentRow; earlier: EarlierRow; candidates: FoundRow }

/**
 * Reads the facts of forms, in their order, in one statement: a later one would tell by its time that somebody asked before.
 * A failure to find a provider must not cost a lead.
 */
async function readAll({ db, env, log }: Pick<Services, 'db' | 'env' | 'log'>, forms: LeadForm[]): Promise<Facts[]> {
  const readAt = performance.now()
  const leads = forms.map(({ lead }) => lead)
  const hashes = leads.map((lead) => personHashes(deriveKey(env.DATA_KEY, 'person-hash'), lead))
  const wanted = forms.map(wantedBy)
  const always = {
    listed: suppressions.listedQuery(hashes.flat()),
    recent: recentFormsQuery(
      leads.map(({ email }) => email),
      mailCaps(env),
    ),
  }
  const read = async () => {
    const matching = { earlier: earlierQuery(leads), candidates: candidatesQuery(wanted, optionsOf(env)) }
    const rows = await queryTogether<Rows>(db, { ...always, ...matching }, { name: 'read-for-leads' })
    return { ...rows, found: await findCandidates(db, wanted, { ...optionsOf(env), first: rows.candidates }) }
  }
  const { listed, recent, earlier, found } = await read().catch(async (error) => {
    log.warn({ err: error }, 'matching failed; a job will do it')
    const rows = await queryTogether<Pick<Rows, 'listed' | 'recent'>>(db, always, { name: 'read-for-unmatched-leads' })
    return { ...rows, earlier: [], found: [] }
  })
  const onList = new Set(listed.map(({ hash }) => hash))
  return forms.map(({ isTest }, index) => {
    const isOwn = ({ position }: { position: number }) => position === index + 1
    const { hour, day, all, notified } = only(recent.filter(isOwn))
    return {
      readAt,
      repeat: decideRepeat(isTest ? [] : earlier.filter(isOwn)),
      candidates: found[index],
      ways: new Set(hashes[index]?.filter(({ hash }) => onList.has(hash)).map(({ kind }) => kind)),
      recent: { visitor: { hour, day }, all, notified },
    }
  })
}

const wantedBy = ({ lead, chosenProviderId, isTest }: LeadForm) => ({
  ...{ zip: lead.zip_code, chosenId: chosenProviderId },
  ...(!isTest && { email: lead.email }),
})

const optionsOf = (env: IntakeEnv) => ({
  ...{ radiusMiles: env.MATCH_RADIUS_MILES, countTo: limitOf(env.CLINIC_LEADS_PER_HOUR) },
})

function chooseFor(
  { candidates, repeat }: { candidates?: Candidates; repeat: Facts['repeat'] },
  { MATCH_RADIUS_MILES: radiusMiles }: IntakeEnv,
): Match | NoMatch {
  if (!candidates) return UNMATCHED
  const match = chooseProvider({ ...withRepeat(candidates, repeat), radiusMiles })
  if (repeat.except.length === 0) return match
  return { ...match, usualId: chooseProvider({ ...candidates, radiusMiles }).providerId }
}

async function store(
  { db, env, counts, insertOne }: Services,
  form: LeadForm,
  { readAt, repeat, ways, recent }: Facts,
  match: Match | NoMatch,
) {
  const { lead, chosenProviderId, idempotencyKey, isByStaff, visit } = form
  const network = form.network ?? null
  const others = counts.decidedSince(readAt)
  const delivered = others.filter(({ reason }) => reason === null)
  const ofClinic = delivered.filter(({ clinic }) => clinic !== null && clinic === match.providerId).length
  const ofItself = isByStaff ? null : heldReason(lead, [lead.first_name, lead.last_name], visit)
  const counted = {
    ...{ visitor: recent.visitor, address: counts.read(network), all: recent.all + delivered.length },
    clinic: (match.providerId === null ? 0 : (match.hourCount ?? 0)) + ofClinic,
  }
  const beyond = isByStaff || ofItself ? null : exceededCap(counted, mailCaps(env))
  // A repeat is not held, because it sends no mail.
  const isSuppressed = ways.size > 0
  const held = { held: isSuppressed && ('wish' as const) }
  const marks = () => ({ form: repeatKey(lead, chosenProviderId, held), key: storedKey(idempotencyKey, held) })
  const isRepeat = beyond !== null && (await isRepeated(db, 'leads', marks()))
  const ofForm: HeldReason | null = ofItself ?? (isRepeat ? null : beyond)
  const reason = ofForm ?? (isSuppressed ? 'do_not_contact' : null)
  const isNotifying = ({ reason: other }: { reason: HeldReason | null }) => other === reason
  const isNotified =
    reason !== null &&
    NOTIFIED_HOURLY.includes(reason) &&
    (recent.notified.includes(reason) || counts.decidedSince(readAt).some(isNotifying))
  const ended = counts.decide({ network: ofForm === null ? network : null, clinic: match.providerId, reason })
  let isNew = false
  try {
    const stored = await storeLead(
      db,
      {
        ...{ ...form, match, repeat, heldReason: reason, beyondCap: isRepeat ? beyond : null },
        isQuiet: reason === 'do_not_contact' && !isByStaff && !ways.has('email'),
        isNotified,
      },
      deriveKey(env.DATA_KEY, 'consent-chain'),
      insertOne,
    )
    isNew = stored.isNew
    return stored
  } finally {
    ended(isNew)
  }
}
