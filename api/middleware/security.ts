import { randomBytes } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import helmet from 'koa-helmet'
import { brand } from '../../core/brand/brand.ts'
import { CONVERSION_HOSTS, type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'
import type { Env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import type { Visit } from '../../core/privacy/stores/consents.ts'

/** Allows scripts and styles of this site only, and a page's inline style sheet by its hash. */
export function securityHeaders({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): Middleware {
  const isHttps = PUBLIC_URL.startsWith('https:')
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isHttps,
    // Other sites must not learn which page of a health site a visitor comes from. The player needs more.
    referrerPolicy: { policy: 'same-origin' },
  }) as Middleware
  return (ctx, next) => {
    ctx.set('Permissions-Policy', PERMISSIONS)
    return secure(ctx, next)
  }
}

/**
 * The browser features that pages may use (https://www.w3.org/TR/permissions-policy/): location for the maps, the
 * clipboard for invitations, autoplay and full screen for the video on the page for clinics.
 */
const PERMISSIONS = [
  'geolocation=(self)',
  'clipboard-write=(self)',
  ...['autoplay', 'fullscreen', 'picture-in-picture'].map(
    (feature) => `${feature}=(self "${new URL(brand.providerVideoUrl).origin}")`,
  ),
  ...`accelerometer browsing-topics camera display-capture encrypted-media gyroscope hid idle-detection
    magnetometer microphone midi payment publickey-credentials-create publickey-credentials-get screen-wake-lock serial usb
    xr-spatial-tracking`
    .split(/\s+/)
    .map((feature) => `${feature}=()`),
].join(', ')

type PageNeeds = { frames?: readonly string[]; styleHash: string; provider: ConversionIds | null }

/**
 * Extends the policy by what a page needs: its own style sheet, its frames, and its provider's conversion tags, null where nothing may be measured. With
 * tags, a nonce allows only the scripts of this response and the scripts that they load
 * (https://www.w3.org/TR/CSP3/#strict-dynamic-usage).
 * @returns the nonce to put into the page (`withNonce`), if it needs one
 */
export function allowForPage(ctx: Context, { frames, styleHash, provider }: PageNeeds): string | null {
  const { google, microsoft } = conversionTags(provider)
  allowStyle(ctx, styleHash)
  if (frames) extendPolicy(ctx, { frameSrc: frames })
  const hosts = [...(google ? CONVERSION_HOSTS.google : []), ...(microsoft ? CONVERSION_HOSTS.microsoft : [])]
  if (hosts.length === 0) return null

  extendPolicy(ctx, { connectSrc: hosts, imgSrc: hosts })
  const nonce = randomBytes(16).toString('base64')
  extendPolicy(ctx, { scriptSrc: [`'nonce-${nonce}'`, "'strict-dynamic'"] })
  return nonce
}

/** Adds a nonce to a page: to the scripts of the template, and where Vite reads it when it loads more. */
export function withNonce(html: string, nonce: string): string {
  return html
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, `<$1 nonce="${nonce}"`)
    .replace('</head>', `<meta property="csp-nonce" nonce="${nonce}"></head>`)
}

export function allowStyle(ctx: Context, hash: string): void {
  extendPolicy(ctx, { styleSrc: [`'${hash}'`] })
}

const DIRECTIVES = {
  scriptSrc: 'script-src',
  styleSrc: 'style-src',
  connectSrc: 'connect-src',
  imgSrc: 'img-src',
  frameSrc: 'frame-src',
} as const

function extendPolicy(ctx: Context, sources: Partial<Record<keyof typeof DIRECTIVES, readonly string[]>>): void {
  let policy = ctx.response.get('Content-Security-Policy')
  for (const [name, added] of Object.entries(sources)) {
    const directive = DIRECTIVES[name as keyof typeof DIRECTIVES]
    policy = policy.replace(`${directive} `, `${directive} ${added.join(' ')} `)
  }
  ctx.set('Content-Security-Policy', policy)
}

/**
 * Answers with a foreign document that is only shown, in a frame of our own pages: it keeps its inline styles, loads nothing but
 * pictures of our own host, runs nothing, and leads nowhere. In `srcdoc` it would inherit the policy of the page, which refuses inline styles.
 */
export function onlyShown(ctx: Context): void {
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  )
  ctx.set('X-Frame-Options', 'SAMEORIGIN')
  // Its origin is opaque, and browsers warn of a cluster for it.
  ctx.remove('Origin-Agent-Cluster')
}

/**
 * Accepts only this machine's host names with open access, where no password protects the leads. A foreign Host header
 * means that a page of another site reaches this server through the browser (DNS rebinding).
 */
export function localHostsOnly({ ADMIN_ACCESS }: Pick<Env, 'ADMIN_ACCESS'>): Middleware {
  return async (ctx, next) => {
    const { hostname } = URL.canParse(`http://${ctx.get('host')}`)
      ? new URL(`http://${ctx.get('host')}`)
      : { hostname: '' }
    if (ADMIN_ACCESS === 'open' && !/^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(hostname)) {
      throw new AppError('forbidden', 'This demo answers on localhost only.')
    }
    await next()
  }
}

/**
 * Returns the origin of a public form. Browsers say whether a page of another site sent it: always by `Origin`, and
 * over HTTPS by `Sec-Fetch-Site` as well (https://w3c.github.io/webappsec-fetch-metadata/). Other programs send
 * neither. The origin `null`, which hides a site, counts as another site unless `Sec-Fetch-Site` says otherwise.
 */
export function visitOf(ctx: Context, { PUBLIC_URL, FORM_ORIGINS }: Pick<Env, 'PUBLIC_URL' | 'FORM_ORIGINS'>): Visit {
  const [origin, fetchSite] = [ctx.get('origin'), ctx.get('sec-fetch-site')]
  const isVouchedFor = ['same-origin', 'none'].includes(fetchSite)
  const isForeign = origin === 'null' ? !isVouchedFor : origin !== '' && !isOwnOrigin(ctx, PUBLIC_URL)
  const isFromElsewhere = isForeign || (fetchSite !== '' && !isVouchedFor)
  const isProgram = origin === '' && fetchSite === ''
  return {
    ip: ctx.ip,
    userAgent: ctx.get('user-agent'),
    pageUrl: ctx.get('referer'),
    channel: isFromElsewhere ? 'other_site' : isProgram ? 'api' : 'form',
    isFromAnotherSite: isFromElsewhere && !FORM_ORIGINS.includes(origin),
  }
}

/**
 * Lets the pages of the sites in `FORM_ORIGINS` send the public forms by script and read the receipt (CORS,
 * https://fetch.spec.whatwg.org/#http-cors-protocol). Cookies are not accepted: these calls use none.
 */
export function formOrigins({ FORM_ORIGINS }: Pick<Env, 'FORM_ORIGINS'>, paths: ReadonlySet<string>): Middleware {
  return async (ctx, next) => {
    const origin = ctx.get('origin')
    if (!paths.has(ctx.path) || !FORM_ORIGINS.includes(origin)) return next()
    ctx.vary('Origin')
    ctx.set('Access-Control-Allow-Origin', origin)
    if (ctx.method !== 'OPTIONS') return next()
    ctx.set('Access-Control-Allow-Methods', 'POST')
    ctx.set('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key')
    ctx.status = 204
  }
}

/** Returns whether a request comes from `PUBLIC_URL` or, with its scheme, the requested host, as of a microsite. */
function isOwnOrigin(ctx: Context, publicUrl: string): boolean {
  const { origin, protocol } = new URL(publicUrl)
  return [origin, `${protocol}//${ctx.get('host')}`].includes(ctx.get('origin'))
}

/** Rejects a change that another site's page requests with the cookie of a signed-in browser. */
export function sameOrigin({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): Middleware {
  return async (ctx, next) => {
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method)
    const isOwn = ctx.get('origin') === '' || isOwnOrigin(ctx, PUBLIC_URL)
    const isFromSite = ['', 'same-origin', 'none'].includes(ctx.get('sec-fetch-site'))
    if (isChange && !(isOwn && isFromSite)) {
      throw new AppError('forbidden', 'This request must come from the site itself.')
    }
    await next()
  }
}
