import { expect, it, onTestFinished } from 'vitest'
import { runCommandFile } from '../../support/commands.ts'
import { clinicPost, startWordPress } from '../../support/wordpress-server.ts'

const preview = (settings: Record<string, string>) =>
  runCommandFile('worker/sync/preview', [], {
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...settings },
  })

it('shows what the mapping makes of the first posts, and what is missing, without a database', async () => {
  const wordpress = await startWordPress()
  onTestFinished(() => wordpress.close())
  wordpress.posts.push(clinicPost(1), clinicPost(2, {}, { zip_code: 'nowhere' }))
  const { code, text } = await preview({ WORDPRESS_URL: wordpress.url })
  expect(code).toBe(0)
  expect(text).toMatch(/^Post 1, “.+”$/m)
  expect(text).toMatch(/^ {2}email +"[^"]+@[^"]+" {2}from acf\.\w+$/m)
  expect(text).toMatch(/^Post 2, “.+”: would be skipped$/m)
  expect((await preview({ WORDPRESS_URL: wordpress.url, WORDPRESS_FIELDS: '{"zip": "x"}' })).text).toMatch(
    /WORDPRESS_FIELDS must be JSON/,
  )
  expect(await preview({})).toEqual({ code: 1, text: 'WordPress is not configured: set WORDPRESS_URL.' })
})
