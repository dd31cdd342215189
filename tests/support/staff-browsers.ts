import type { Db } from '../../core/platform/db.ts'
import type { ApiClient } from './api-client.ts'
import { openBrowser } from './cookie-browser.ts'
import { createStaff } from './factories.ts'

/** Browsers of staff accounts at one API, some with a second factor. */
export function staffBrowsers(api: Pick<ApiClient, 'call'>, database: { db: Db }) {
  /** A browser in which a new account is signed in. Columns as in the table. */
  async function signedIn(overrides: Record<string, unknown> = {}) {
    const account = await createStaff(database.db, overrides)
    const browser = openBrowser(api)
    const { body: session } = await browser.signIn(account.email)
    return { ...account, browser, session }
  }
  return {
    signedIn,
    /** Makes an account with an authenticator app, whose current code is unused. */
    async withApp(overrides: Record<string, unknown> = {}) {
      const account = await signedIn(overrides)
      const app = await account.browser.addApp()
      await database.db('staff_totp').update({ last_step: 0 })
      return { ...account, ...app }
    },
    /** A browser that has given the right password, and waits for the second step. */
    async halfway(email: string) {
      const browser = openBrowser(api)
      return { browser, answer: await browser.signIn(email) }
    },
  }
}
