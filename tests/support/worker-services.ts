import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createLog } from '../../core/platform/log.ts'
import type { WorkerServices } from '../../worker/handlers/handler.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { createMailer } from '../../worker/senders/mailer.ts'
import { startCrmServer, type TestCrmServer } from './crm-server.ts'
import { useDatabase } from './database.ts'
import { CRM_SECRET, testEnv } from './env.ts'
import { startSmtpServer, type TestSmtpServer } from './smtp-server.ts'

/**
 * Sets up the surroundings of a worker for the tests of a file: a database, a mail server that accepts, and a CRM that
 * answers `{"id":"crm-<lead>"}`. Everything is emptied after each test.
 */
export function useWorkerServices(): WorkerServices & { smtp: TestSmtpServer; crmServer: TestCrmServer } {
  const database = useDatabase()
  const services = {} as ReturnType<typeof useWorkerServices>

  beforeAll(async () => {
    services.smtp = await startSmtpServer()
    services.crmServer = await startCrmServer()
  })
  beforeEach(() => {
    const { smtp, crmServer } = services
    smtp.reset()
    crmServer.reset()
    const env = testEnv({
      SMTP_URL: smtp.url,
      CRM_KIND: 'webhook',
      CRM_WEBHOOK_URL: crmServer.url,
      CRM_WEBHOOK_SECRET: CRM_SECRET,
    })
    Object.assign(services, {
      env,
      db: database.db,
      log: createLog('test', 'silent'),
      stopping: new AbortController().signal,
      mailer: createMailer(env),
      crm: createCrmSender(env),
    })
  })
  afterEach(() => {
    services.mailer.close()
    expect(services.crmServer.rejected).toEqual([])
  })
  afterAll(async () => {
    await services.smtp.close()
    await services.crmServer.close()
  })
  return services
}
