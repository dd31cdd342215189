import { DEFAULT_MAPPING, type Mapped, type Mapping } from '../../core/rules/wordpress-mapping.ts'
import { DeliveryError } from '../delivery-error.ts'
import { type Answer, LIMITS, type Limits, request } from './request.ts'
import { text } from './values.ts'
import { authorization, plainRoute, prettyRoute, type WordPressSettings } from './wordpress.ts'
import { WordPressError } from './wordpress-error.ts'
import { codeOf, memberOf } from './wordpress-page.ts'

/** The post of a new clinic. `slug` names it, and no other post has it. */
export type Draft = { slug: string; title: string; fields: Partial<Record<Mapped, string | boolean | null>> }

type Options = { settings: WordPressSettings; mapping?: Partial<Mapping>; limits?: Limits }

/** What a clinic must have to be read by the sync. */
const REQUIRED = { zipCode: 'zip code', email: 'e-mail address' } as const

/**
 * Makes a draft in WordPress, unless an earlier attempt has made it: a post with the same slug and title, in any status but the
 * trash, is that one. Fields are written where the schema of the site has a place for them.
 * @returns the id of the post
 * @throws DeliveryError
 */
export async function ensureDraft(draft: Draft, { settings, mapping, limits = LIMITS }: Options): Promise<number> {
  const { WORDPRESS_URL: site, WORDPRESS_POST_TYPE: type } = settings
  const headers = { accept: 'application/json', 'user-agent': 'Leadwell', ...authorization(settings) }
  const path = `/wp/v2/${type}`
  const ask = (method: 'GET' | 'POST' | 'OPTIONS', query: Record<string, string>, body?: object): Promise<Answer> =>
    request(route(site, path, query), {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      // A draft is not sent twice in one attempt: the next one looks first whether it was made.
      limits: method === 'POST' ? { ...limits, tries: 1, redirects: 0 } : limits,
    }).catch((error) => {
      throw asDeliveryError(error)
    })

  let route = prettyRoute
  let described = await ask('OPTIONS', {})
  if (described.json === undefined && [200, 404].includes(described.status)) {
    // With plain permalinks the usual address is another page of the site, or none.
    route = plainRoute
    described = await ask('OPTIONS', {})
  }
  if (described.status !== 200) throw refusalOf(described, `describe its posts of the type “${type}”`)
  const places = placesOf(described.json, { ...DEFAULT_MAPPING, ...mapping })
  const missing = Object.entries(REQUIRED).filter(([field]) => !places.has(field as Mapped))
  if (missing.length > 0) {
    const what = missing.map(([, words]) => words).join(' and the ')
    throw new DeliveryError(
      `The posts of the type “${type}” have no field for the ${what}. Show it in the REST API of WordPress, or name it in WORDPRESS_FIELDS.`,
      { cause: 'unknown_property', retry: 'never' },
    )
  }

  const found = await ask('GET', { slug: draft.slug, status: 'any', context: 'edit', _fields: 'id,title' })
  if (found.status !== 200 || !Array.isArray(found.json)) throw refusalOf(found, 'list its drafts')
  const [post] = found.json
  if (post !== undefined) {
    if (titleOf(post) === text(draft.title)) return idOf(post)
    throw new DeliveryError(`Another post of WordPress has the slug “${draft.slug}”.`, {
      ...{ cause: 'refused', retry: 'never' },
    })
  }

  const { slug, title, fields } = draft
  const made = await ask('POST', { _fields: 'id' }, { status: 'draft', slug, title, ...written(fields, places) })
  if (made.status !== 201) throw refusalOf(made, 'make the draft')
  return idOf(made.json)
}

/** Where a field is written, and as what. */
type Place = { group: string; name: string; types: string[] }

/** Returns where each field of a provider is written: the first of its paths that the schema of the posts has. */
function placesOf(answer: unknown, mapping: Mapping): Map<Mapped, Place> {
  const properties = memberOf(memberOf(answer, 'schema'), 'properties')
  const places = new Map<Mapped, Place>()
  for (const [field, paths] of Object.entries(mapping) as [Mapped, string[]][]) {
    for (const path of paths) {
      const [group = '', name = '', ...deeper] = path.split('.')
      const schema = memberOf(memberOf(memberOf(properties, group), 'properties'), name)
      if (deeper.length > 0 || schema === undefined) continue
      places.set(field, { group, name, types: [memberOf(schema, 'type') ?? 'string'].flat().map(String) })
      break
    }
  }
  return places
}

/** Returns the members of a post that have its fields, each in the form that its schema asks for. */
function written(fields: Draft['fields'], places: Map<Mapped, Place>): Record<string, Record<string, unknown>> {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [field, value] of Object.entries(fields) as [Mapped, string | boolean | null][]) {
    const place = places.get(field)
    if (place && value !== null)
      groups[place.group] = { ...groups[place.group], [place.name]: asType(value, place.types) }
  }
  return groups
}

function asType(value: string | boolean, types: string[]): unknown {
  if (types.includes('boolean')) return value === true
  const words = typeof value === 'boolean' ? (value ? '1' : '') : value
  if (types.includes('string')) return words
  if (types.includes('integer') || types.includes('number')) return Number(words)
  return types.includes('array') ? [words] : words
}

function titleOf(post: unknown): string | null {
  try {
    return text(memberOf(memberOf(post, 'title'), 'raw'))
  } catch {
    return null
  }
}

/** @throws DeliveryError when WordPress has made the draft and does not say which post it is: the next attempt finds it */
function idOf(post: unknown): number {
  const id = memberOf(post, 'id')
  if (typeof id === 'number' && Number.isInteger(id) && id > 0) return id
  throw new DeliveryError('WordPress did not say which post the draft is.', { cause: 'server_error', retry: 'later' })
}

/** Returns what a refusal means. `what` is what WordPress was asked to do. `detail` has WordPress's own sentence. */
function refusalOf({ status, json }: Answer, what: string): DeliveryError {
  const said = memberOf(json, 'message')
  const facts = { status, detail: typeof said === 'string' ? said : undefined }
  const code = codeOf(json, status)
  // A user who may not edit posts gets 400 for the status “any”.
  const isForbidden = memberOf(memberOf(memberOf(memberOf(json, 'data'), 'details'), 'status'), 'code')
  if (status === 401 || status === 403 || isForbidden === 'rest_forbidden_status') {
    return new DeliveryError(
      `WordPress does not let WORDPRESS_USER ${what}${code}. The user needs the role Editor, and its application password must be right.`,
      { cause: 'credentials', retry: 'never', ...facts },
    )
  }
  if (json === undefined) {
    return new DeliveryError(`WordPress answered with a web page when it was asked to ${what}${code}.`, {
      ...{ cause: 'wrong_address', retry: 'later' },
      ...facts,
    })
  }
  const cause = status === 404 ? 'wrong_address' : 'refused'
  return new DeliveryError(`WordPress refused to ${what}${code}.`, { cause, retry: 'never', ...facts })
}

/** WordPress that does not answer, or answers later, is asked again. A redirect elsewhere is a mistake in the settings. */
function asDeliveryError(error: unknown): unknown {
  if (!(error instanceof WordPressError)) return error
  const { isTemporary, retryAfter, message } = error
  return new DeliveryError(message, {
    ...(isTemporary ? { cause: 'unreachable', retry: 'later' } : { cause: 'wrong_address', retry: 'never' }),
    ...(retryAfter > 0 && { retryAfter }),
  } as const)
}
