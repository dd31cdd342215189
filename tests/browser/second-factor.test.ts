import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { chooseInMenu, seesToast, signInAs } from './page-actions.ts'

/** A fingerprint reader of the device, whose owner always agrees (W3C WebAuthn, 11.2; Chrome DevTools Protocol). */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

const account = (page: Page) => page.getByRole('button', { name: /^Account of Ada Park/ })

describeInBrowser('a passkey', (site) => {
  beforeEach(async () => {
    await site.reset()
  })

  it('is added to an account, and signs in without the password, or after it', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const page = await site.open('/admin', { expectErrors: /status of (401|403)/ })
    const { setVerified } = await addAuthenticator(page)
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await chooseInMenu(page, 'Two-step sign-in')
    const dialog = page.getByRole('dialog', { name: 'Two-step sign-in' })
    await dialog.getByRole('button', { name: 'Set up an app' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await isUsableByEverybody(page, { name: 'two-step sign-in' })
    await dialog.getByLabel('Name').fill('Work laptop')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await isUsableByEverybody(page, { name: 'recovery codes' })
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await dialog.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()

    await chooseInMenu(page, 'Sign out')
    await page.reload()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await account(page).waitFor()

    await chooseInMenu(page, 'Sign out')
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor()
    await isUsableByEverybody(page, { name: 'second step' })
    await page.reload()
    await setVerified(false)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used. Please try again.').waitFor()
    await setVerified(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await account(page).waitFor()

    await site.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    await chooseInMenu(page, 'Two-step sign-in')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove this passkey?' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await seesToast(page, 'Success', 'Passkey removed')
    expect(await site.db('staff_passkeys')).toEqual([])
    expect(await site.db('staff_recovery_codes')).toEqual([])
  })
})
