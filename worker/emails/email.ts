import type { ReactElement } from 'react'
import type { Lead } from '../../core/contract/leads.ts'
import type { Env } from '../../core/env.ts'
import type { Provider } from '../../core/stores/providers.ts'
import type { Mail } from '../senders/mailer.ts'

/** What every template gets. Who has been matched since the job was made is the one who is named. */
export type EmailContext = { lead: Lead; provider: Provider | null; env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL'> }

/** One e-mail before it is rendered; each template makes one. */
export type EmailDraft = Pick<Mail, 'to' | 'replyTo' | 'subject'> & { body: ReactElement }
