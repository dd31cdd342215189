import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMailPreview } from '../../local/mail-preview.ts'
import { mailSamples } from '../../local/mail-samples.ts'

describe('the preview of the e-mails', () => {
  let preview: Awaited<ReturnType<typeof startMailPreview>>
  beforeAll(async () => {
    preview = await startMailPreview()
  })
  afterAll(() => preview.stop())

  test('shows every e-mail, as HTML and as text', async () => {
    const front = await (await fetch(preview.url)).text()
    for (const { name, mail } of mailSamples()) {
      expect(front).toContain(`href="/${name}?view=html"`)
      expect(await (await fetch(`${preview.url}/${name}/html`)).text()).toContain(mail.html)
      const page = await (await fetch(`${preview.url}/${name}?view=text`)).text()
      expect(page).toContain(mail.to)
      expect(page).toContain('You received this e-mail because')
      expect(page).not.toContain('<script>alert')
    }
  })

  test('lets no e-mail run or load anything', async () => {
    const { headers } = await fetch(`${preview.url}/provider/html`)
    expect(headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
  })

  test('knows no others', async () => {
    expect((await fetch(`${preview.url}/secrets`)).status).toBe(404)
    expect((await fetch(`${preview.url}/secrets/html`)).status).toBe(404)
  })
})
