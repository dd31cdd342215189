/**
 * How long kinds of data are kept, in days, from the settings; null: without a limit. `leads` counts from the last work on a
 * request, `consentDetails` is for the IP address and the browser beside a consent.
 */
export type KeepingTimes = Record<
  'leads' | 'deletedLeads' | 'applications' | 'consents' | 'consentDetails',
  number | null
>

/** The times without any setting. */
export const USUAL_TIMES: KeepingTimes = {
  leads: 730,
  deletedLeads: 30,
  applications: 730,
  consents: 1826,
  consentDetails: 365,
}

/** A kind of personal data. Texts may contain `{leads}` and the other names of `KeepingTimes`, as `withTimes` fills them in. */
export type DataKind = {
  what: string
  from: string
  why: string
  who: string
  kept: string
  /** Whether it can tell of somebody's health: consumer health data by the law of Washington and Nevada. */
  isHealth: boolean
  tables: readonly string[]
}

const PROCESSORS = 'companies that host this site, deliver our email and run our customer records'

/**
 * Every kind of personal data that the product keeps. The privacy policy and the notice about health data show this list, and
 * a test compares it with the database.
 */
export const DATA_KINDS: readonly DataKind[] = [
  {
    what: 'Your request: your name, email address, phone number and zip code, that you want to hear about the treatment, and the page, site or campaign that led you here',
    from: 'you, by a form or on the phone; corrections from our team',
    why: 'to find a clinic near you, to pass the request on to it, and to tell you what happened',
    who: `the clinic that you chose or are matched with; if it cannot help you, the next one; ${PROCESSORS}`,
    kept: '{leads} after we last worked on it; a request that our team deletes can be restored for {deletedLeads}',
    isHealth: true,
    tables: ['leads', 'all_leads', 'lead_edits', 'match_changes', 'bulk_actions', 'bulk_items'],
  },
  {
    what: 'The evidence of your consent: its wording, the time, the page, and the IP address and browser that it came from',
    from: 'your browser, or our team if you phoned',
    why: 'to show that you agreed to be contacted',
    who: 'the clinic that has your request sees wording and time; authorities and courts where the law requires it',
    kept: '{consents}, also after the request is deleted; the IP address and the browser {consentDetails}',
    isHealth: true,
    tables: ['consents', 'application_consents'],
  },
  {
    what: 'What became of your request: whether the clinic reached you, an appointment and its day, whether it took place, whether you were treated, what was paid, why it came to nothing, and a short note',
    from: 'the clinic, our customer records, our team, and you',
    why: 'to see that you are called, to ask the clinic again, and to see how well clinics and campaigns do',
    who: `the clinic and our team; ${PROCESSORS}`,
    kept: 'as long as the request',
    isHealth: true,
    tables: ['lead_outcomes', 'answer_clocks'],
  },
  {
    what: 'Notes of our team: what was said in a call or a message, who looks after your request, and what is to be done next',
    from: 'our team',
    why: 'to look after your request',
    who: 'our team; companies that host this site',
    kept: 'as long as the request',
    isHealth: true,
    tables: ['lead_notes', 'lead_work', 'attention_marks'],
  },
  {
    what: 'Copies of the emails about your request, and when and how each message was delivered',
    from: 'our own systems, and the systems that took the message',
    why: 'to find out what went wrong when a message does not arrive',
    who: 'our team; companies that host this site and deliver our email',
    kept: 'as long as the request; details of single attempts a year',
    isHealth: true,
    tables: ['jobs', 'job_attempts', 'sent_messages', 'alert_states'],
  },
  {
    what: 'Your wish not to be contacted: codes made of your email address and phone number, and which clinics were told and have confirmed',
    from: 'you, by a link, on the phone or in a message; the clinic; our customer records',
    why: 'to keep the wish, also after your request is deleted',
    who: 'each clinic that had your request; our customer records',
    kept: 'until you allow contact again',
    isHealth: true,
    tables: ['suppressions', 'opt_outs'],
  },
  {
    what: 'That something was deleted: its number, the day, and codes made of your email address and phone number',
    from: 'our own systems',
    why: 'to delete it again if a backup is restored, and to answer you if you ask',
    who: 'companies that host this site',
    kept: '{consents}',
    isHealth: true,
    tables: ['erasures', 'erasure_requests'],
  },
  {
    what: 'Who on our team has seen, exported or changed a request, and when',
    from: 'our own systems',
    why: 'to find misuse, and to answer you if you ask',
    who: 'managers of our team',
    kept: 'six years',
    isHealth: false,
    tables: ['access_log', 'audit_log'],
  },
  {
    what: 'Applications of clinics: the name, practice, email address, phone number, zip code, website and message, and the notes of our team about them',
    from: 'the applicant, public registers and our team',
    why: 'to decide about the application',
    who: PROCESSORS,
    kept: '{applications}',
    isHealth: false,
    tables: ['provider_applications', 'application_notes'],
  },
  {
    what: 'Clinics and the people who work there: names, addresses, email addresses, phone numbers, opening hours, and when they signed in',
    from: 'the clinic and our team',
    why: 'to show the clinic on this site, and to send it requests',
    who: 'everybody, as far as it stands on the public pages; otherwise our team',
    kept: 'while the clinic is in the network',
    isHealth: false,
    tables: ['providers', 'provider_rules', 'provider_syncs', 'clinic_people', 'clinic_sessions', 'one_time_tokens'],
  },
  {
    what: 'Accounts of our team: names, email addresses, and when and from where they signed in',
    from: 'our team',
    why: 'to let nobody else in',
    who: 'managers of our team',
    kept: 'while the account exists; its name in the records above as long as those',
    isHealth: false,
    tables: [
      'staff_accounts',
      'staff_sessions',
      'one_time_tokens',
      'staff_identities',
      'staff_pending_sign_ins',
      'staff_recovery_codes',
      'staff_totp',
      'sign_in_attempts',
      'alert_channels',
    ],
  },
]

export function withTimes(text: string, times: KeepingTimes): string {
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in times ? inWords(times[name as keyof KeepingTimes]) : all))
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Returns a time as people say it: `two years`, `30 days`. */
function inWords(days: number | null): string {
  if (days === null) return 'an unlimited time'
  const years = Math.round(days / 365.25)
  if (years === 0 || Math.abs(days - years * 365.25) >= 2) return `${days} days`
  return `${NUMBERS[years] ?? years} ${years === 1 ? 'year' : 'years'}`
}

/** Days in which staff can restore a deleted lead, which is then deleted permanently. */
export const DELETED_LEAD_DAYS = 30
/** Days after which the IP address and the browser are removed from the evidence of a consent. The database takes 30 at least. */
export const CONSENT_DETAILS_DAYS = 365
