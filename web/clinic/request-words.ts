import { REQUEST_ANSWERS, type RequestAnswer } from '../../core/contract/page.ts'
import type {
  GivenAnswer,
  OUTCOME_REASONS,
  OutcomeKind,
  OutcomeReason,
  OutcomeSource,
  RequestEnd,
} from '../../core/leads/contract/outcomes.ts'
import { formatIsoDay } from '../lib/dates.ts'
import { formatCount } from '../lib/text.ts'

/** The title and the sentence of a link that shows no request. */
export const ENDS: Record<RequestEnd, { title: string; text: string }> = {
  invalid: {
    title: 'This link is not complete',
    text: 'Please open the link in our e-mail again. Some mail programs cut long links in two.',
  },
  expired: {
    title: 'This link is too old',
    text: 'For the protection of the people who ask us, a link works for 60 days.',
  },
  deleted: {
    title: 'This request was deleted',
    text: 'Please do not call, and delete the details that you may have kept.',
  },
  opted_out: {
    title: 'This person has asked not to be contacted',
    text: 'Please do not call, text or write to them any more, and take them out of your own lists.',
  },
  number_stopped: {
    title: 'Please do not call this number',
    text: 'It must not be called or texted any more. Please take it out of your own lists.',
  },
  passed_on: {
    title: 'This request was passed to another clinic. Please do not call.',
    text: 'If you have already spoken with this person, please let us know.',
  },
  taken_back: {
    title: 'This request was taken back',
    text: 'Please do not call. If you have already spoken with this person, please let us know.',
  },
  replaced: {
    title: 'There is a newer e-mail',
    text: 'This request came to your clinic a second time. Please open the link in our newest e-mail about it.',
  },
  other_address: {
    title: 'This link belongs to another address',
    text: 'Your clinic no longer uses the address to which we sent this link. Please open the request on your clinic’s pages.',
  },
  left: {
    title: 'This clinic is no longer in our network',
    text: 'Its links no longer work. If you have a question about a request, please write to us or call us.',
  },
  held: {
    title: 'We are checking this request',
    text: 'Please do not call yet. You get an e-mail when it is yours.',
  },
}

/** The outcomes in words, with what happens after each. */
export const ANSWERS: Record<Exclude<OutcomeKind, 'opened' | 'opted_out'>, { label: string; next: string }> = {
  reached: {
    label: REQUEST_ANSWERS.reached,
    next: 'Thank you. When there is an appointment, please come back to this page and choose “Booked”.',
  },
  booked: {
    label: REQUEST_ANSWERS.booked,
    next: 'Thank you. Nothing else is needed. If the day changes, you can change it here.',
  },
  no_answer: {
    label: REQUEST_ANSWERS.no_answer,
    next: 'Thank you. Please try again at another time of day, and tell us here when you have reached them.',
  },
  wrong_number: {
    label: REQUEST_ANSWERS.wrong_number,
    next: 'Thank you. We ask the person by email for the right number, and send you the request again when we have it. You need not call until then.',
  },
  declined: {
    label: REQUEST_ANSWERS.declined,
    next: 'Thank you for telling us. Our team sees your answer and decides who helps this person. You need not call.',
  },
  attended: { label: 'Came to the appointment', next: 'Thank you. Nothing else is needed.' },
  no_show: { label: 'Did not come', next: 'If there is a new appointment, please choose “Booked” again.' },
  treated: { label: 'Treated', next: 'Thank you. Nothing else is needed.' },
}

const BY: Record<OutcomeSource, string> = {
  clinic: 'your clinic',
  staff: 'our team',
  visitor: 'the person',
  crm: 'our CRM',
}

type Reasons<Kind extends keyof typeof OUTCOME_REASONS> = Record<(typeof OUTCOME_REASONS)[Kind][number], string>

export const DECLINED_REASONS: Reasons<'declined'> = {
  no_capacity: 'We have no capacity',
  too_far: 'Too far away',
  not_a_fit: 'Not a fit for the treatment',
  price: 'The price',
  wants_other_clinic: 'They want another clinic',
  no_longer_wanted: 'They no longer want it',
  other: 'Another reason',
}

const STOPS: Reasons<'opted_out'> = {
  asked_to_stop: REQUEST_ANSWERS.stop,
  wrong_person: REQUEST_ANSWERS.wrong_person,
}

const REASONS: Record<OutcomeReason, string> = { ...DECLINED_REASONS, ...STOPS }

/** What the page says before contact is stopped: with the person, or by the number only. */
export const STOP_WORDS: Record<'stop' | 'wrong_person', { title: string; text: string; button: string }> = {
  stop: {
    title: 'Stop all contact with this person?',
    text: 'We stop every e-mail to this person, tell every clinic and system that has the request to stop as well, and close it. You confirm that your clinic no longer calls, texts or writes to them.',
    button: 'Stop all contact',
  },
  wrong_person: {
    title: 'Is this number somebody else’s?',
    text: 'Nobody calls or texts this number any more: we tell every clinic and system that has it, and close the request. You confirm that your clinic no longer calls or texts it. If it is only mistyped, go back and choose “Wrong number”: then we ask the person for the right one.',
    button: 'Stop calls to this number',
  },
}

/** Returns an answer in words: `Booked for Dec 1, 2026`, `Cannot help: Too far away`. */
export function answerInWords({
  kind,
  booked_for,
  reason,
}: Pick<GivenAnswer, 'kind' | 'booked_for' | 'reason'>): string {
  if (kind === 'opted_out') return REASONS[reason ?? 'asked_to_stop']
  const label = kind === 'opened' ? '' : ANSWERS[kind].label
  if (booked_for) return `${label} for ${formatIsoDay(booked_for)}`
  return reason ? `${label}: ${REASONS[reason]}` : label
}

/** Returns what happens after an answer. */
export function nextSteps({ kind }: GivenAnswer): string {
  return kind === 'opened' || kind === 'opted_out' ? '' : ANSWERS[kind].next
}

export const byWhom = ({ source }: GivenAnswer) => BY[source]

export const CHOICES = Object.entries(REQUEST_ANSWERS) as [RequestAnswer, string][]

/** Formats the way between clinic and zip, with the precision of zip codes. */
export function distanceInWords(miles: number): string {
  if (miles < 1) return 'less than a mile from your clinic'
  const whole = Math.round(miles)
  return `about ${formatCount(whole)} ${whole === 1 ? 'mile' : 'miles'} from your clinic`
}
