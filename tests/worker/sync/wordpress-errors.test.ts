import { describe, expect, it } from 'vitest'
import { failure, html } from '../../support/wordpress-server.ts'
import { useReads } from './reads.ts'

const reads = useReads()
const { onPage, readAll, start } = reads

describe('what is wrong is said in a sentence:', () => {
  const fails = async (settings?: Record<string, string>, url?: string) =>
    readAll(settings, url).then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    )

  it('500 on a page', async () => {
    await start()
    onPage(2, () => failure(500, 'internal_server_error'))
    expect(await fails()).toBe('Page 2 could not be read. WordPress answered 500.')
    expect(reads.wordpress.requests.filter(({ searchParams }) => searchParams.get('page') === '2')).toHaveLength(3)
  })

  it('a web page instead of data', async () => {
    await start()
    reads.wordpress.intercept(() => html(200))
    expect(await fails()).toMatch(/^Page 1 could not be read\. WordPress answered with a web page instead of data\./)
    await start()
    onPage(3, () => html(200))
    expect(await fails()).toMatch(/^Page 3 could not be read\. WordPress answered with a web page instead of data\./)
  })

  it.each([202, 401, 403])('a web page of a firewall with status %i', async (status) => {
    await start()
    reads.wordpress.intercept(() => html(status))
    expect(await fails()).toBe(
      `Page 1 could not be read. A web page came instead of data (${status}), perhaps of a firewall or a captcha before WordPress. Allow the address of this server there.`,
    )
  })

  it.each(['<br />\n<b>Warning</b>:  foreach() in <b>/x.php</b>', 'PHP Notice:  Undefined index', 'Deprecated: x'])(
    'a message of PHP before the data: %j',
    async (warning) => {
      await start()
      reads.wordpress.intercept((_page, answer) => ({ ...answer, body: `${warning}\n${answer.body}` }))
      expect(await fails()).toMatch(/^Page 1 could not be read\. PHP wrote a warning into WordPress’s answer/)
    },
  )

  it('JSON that is cut off, or is no list', async () => {
    await start()
    onPage(2, (answer) => ({ ...answer, body: answer.body.slice(0, -10) }))
    expect(await fails()).toBe('Page 2 could not be read. WordPress’s answer is not JSON.')
    onPage(2, (answer) => ({ ...answer, body: '{"posts":[]}' }))
    expect(await fails()).toBe('Page 2 could not be read. WordPress’s answer is not a list of posts.')
  })

  it('an answer that is cut off on the way', async () => {
    await start()
    reads.wordpress.intercept((_page, answer, response) => {
      response.writeHead(200, { ...answer.headers, 'content-length': '999999' }).write(answer.body.slice(0, 100))
      setTimeout(() => response.destroy(), 20)
      return null
    })
    expect(await fails()).toMatch(/^Page 1 could not be read\. WordPress could not be reached: /)
  })

  it('a page that never ends, by its size and by its time', async () => {
    await start()
    reads.wordpress.intercept((_page, answer, response) => {
      response.writeHead(200, answer.headers)
      const more = () => response.writable && response.write('[1,'.repeat(20_000), () => setImmediate(more))
      more()
      return null
    })
    expect(await fails()).toMatch(/^Page 1 could not be read\. WordPress sent more than \d+ MB for one page\.$/)
    reads.wordpress.intercept((_page, answer, response) => {
      response.writeHead(200, answer.headers).write('[')
      return null
    })
    expect(await fails()).toBe('Page 1 could not be read. WordPress did not answer in full within 0.5 seconds.')
  })

  it('nobody there', async () => {
    await start()
    await reads.wordpress.close()
    expect(await fails()).toBe('Page 1 could not be read. WordPress could not be reached: ECONNREFUSED.')
  })

  it('a redirect to another host, which gets no request', async () => {
    await start()
    const first = reads.wordpress
    await start()
    const other = reads.wordpress
    first.intercept(() => ({
      status: 302,
      headers: { location: other.url.replace('127.0.0.1', 'localhost') },
      body: '',
    }))
    expect(await fails({}, first.url)).toMatch(
      /^Page 1 could not be read\. WordPress redirects to another host \(localhost:\d+\)/,
    )
    expect(other.requests).toEqual([])
    first.intercept(() => ({ status: 302, headers: { location: first.requests.at(-1)?.href ?? '' }, body: '' }))
    expect(await fails({}, first.url)).toMatch(/redirects in a loop/)
  })

  it.each(['refused', 'ignored'] as const)('a wrong password that is %s', async (wrongPassword) => {
    await start({ user: 'leadwell', password: 'right', wrongPassword })
    const wrong = { WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: 'wrong' }
    expect(await fails(wrong)).toMatch(
      wrongPassword === 'refused'
        ? /does not let us read the posts \(401 incorrect_password\)\. Check WORDPRESS_USER/
        : /^WordPress rejected WORDPRESS_USER and WORDPRESS_APP_PASSWORD \(401 rest_not_logged_in\)\./,
    )
    expect(await fails({ ...wrong, WORDPRESS_APP_PASSWORD: 'right' })).toBe('nothing was wrong')
  })

  it('a type that is not offered', async () => {
    await start()
    expect(await fails({ WORDPRESS_POST_TYPE: 'clinics' })).toBe(
      'Page 1 could not be read. WordPress does not offer posts of the type “clinics” (WORDPRESS_POST_TYPE) (404 rest_no_route). Enable its REST API for that type.',
    )
  })

  it.each([
    [3, 900_000],
    [10_000, 1],
    [250, 250],
    [0, 2],
  ])('%i posts on %i pages', async (total, pages) => {
    await start()
    reads.wordpress.intercept((_page, answer) => ({
      ...answer,
      headers: { ...answer.headers, 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) },
    }))
    expect(await fails()).toBe(
      `WordPress counts ${total} posts on ${pages} pages, though it was asked for 100 on each.`,
    )
  })
})
