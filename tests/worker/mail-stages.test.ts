import nodemailer from 'nodemailer'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { createMailer, type Mailer } from '../../worker/senders/mailer.ts'
import { failure } from '../support/crm-events.ts'
import { shortenDeadlines } from '../support/deadlines.ts'
import { testEnv } from '../support/env.ts'
import { MAIL } from '../support/smtp-server.ts'
import { SMTP_STAGES, type SmtpStage, type StagedSmtpServer, startStagedSmtpServer } from '../support/smtp-stages.ts'

let smtp: StagedSmtpServer
let mailer: Mailer
beforeEach(async () => {
  smtp = await startStagedSmtpServer()
  mailer = createMailer(testEnv({ SMTP_URL: smtp.url }))
})
afterEach(async () => {
  mailer.close()
  await smtp.close()
})

/** Refused now, the same mail is taken by the same mailer once the server is well. */
async function expectMended() {
  smtp.accept()
  await mailer.send(MAIL)
  expect(smtp.messages).toHaveLength(1)
  expect(smtp.messages[0]).toContain('Message-ID: <one@leadwell.example>')
}

it.each<[SmtpStage, number, string, string]>([
  ['MAIL FROM', 550, '5.7.1 not your address', 'does not let us send from MAIL_FROM'],
  ['RCPT TO', 550, '5.1.1 no such user', 'The mailbox does not exist'],
  ['DATA', 554, '5.5.1 no valid recipients', 'rejected the content'],
  ['end of data', 550, '5.7.1 looks like spam', 'as spam or does not accept them'],
])(
  'a mail server that answers 5xx to the email at %s with %d fails it at once, and says why in words',
  async (stage, status, text, words) => {
    smtp.answer(stage, { status, text })
    const error = await failure(mailer.send(MAIL))

    expect(error).toMatchObject({ retry: 'never', status })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(`${status}`)
    expect(error.detail).toContain(`${status} ${text}`)
    expect(smtp.messages).toEqual([])
    await expectMended()
  },
)

it('tries again later when the mail server hangs up at any stage, and sends at most once per attempt', async () => {
  const outcomes = await Promise.all(
    SMTP_STAGES.map(async (stage) => {
      const { server, mailer: own } = await startOwn()
      server.answer(stage, 'drop')
      const { retry, status } = await failure(own.send(MAIL))
      await new Promise((resolve) => setTimeout(resolve, SECOND / 2))
      const deliveries = server.deliveries()
      server.accept()
      await own.send(MAIL)
      return { stage, retry, status, deliveries, messages: server.messages.length }
    }),
  )
  expect(outcomes).toEqual(
    SMTP_STAGES.map((stage) => ({
      stage,
      retry: 'later',
      status: undefined,
      deliveries: stage === 'end of data' ? 1 : 0,
      messages: 1,
    })),
  )
})

/** A server and a mailer for a part of a test that goes on beside others. */
async function startOwn() {
  const server = await startStagedSmtpServer()
  const own = createMailer(testEnv({ SMTP_URL: server.url }))
  onTestFinished(async () => {
    own.close()
    await server.close()
  })
  return { server, mailer: own }
}

/** How much shorter every limit is for the test of a mail server that says nothing. */
const PACE = 1 / 20

/** Shortens the timeouts of nodemailer, until the end of the test. Returns what it was to be, for each mailer. */
function shortenMailLimits(): Record<string, number>[] {
  const asked: Record<string, number>[] = []
  const { createTransport } = nodemailer
  const shortened = vi.spyOn(nodemailer, 'createTransport').mockImplementation((options) => {
    const limits = Object.entries(options as object).filter(([name]) => name.endsWith('Timeout'))
    asked.push(Object.fromEntries(limits))
    return createTransport({
      ...(options as object),
      ...Object.fromEntries(limits.map(([name, ms]) => [name, ms * PACE])),
    } as never) as never
  })
  onTestFinished(() => shortened.mockRestore())
  return asked
}

it('times out when the mail server is silent at any stage, and tries again later', async () => {
  const deadlines = shortenDeadlines({ after: 15 * SECOND * PACE })
  const limits = shortenMailLimits()
  await Promise.all(
    SMTP_STAGES.map(async (stage) => {
      const { server: silent, mailer: patient } = await startOwn()
      silent.answer(stage, 'silence')
      const error = await failure(patient.send(MAIL))
      expect(error, stage).toMatchObject({ retry: 'later', status: undefined })
      const why = stage === 'greeting' ? 'could not be reached' : 'did not answer in time'
      expect(error.message, stage).toBe(`The mail server ${why}.`)
      expect(silent.messages).toEqual([])

      silent.accept()
      await patient.send(MAIL)
      expect(silent.messages).toHaveLength(1)
    }),
  )
  expect(deadlines).toEqual(SMTP_STAGES.flatMap(() => [15 * SECOND, 15 * SECOND]))
  const beforeReady = { connectionTimeout: 10 * SECOND, greetingTimeout: 10 * SECOND, dnsTimeout: 10 * SECOND }
  expect(limits).toEqual(SMTP_STAGES.map(() => ({ ...beforeReady, socketTimeout: 15 * SECOND })))
})
