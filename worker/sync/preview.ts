import { isMain } from '../../core/cli/command-line.ts'
import { readSyncEnv } from '../../core/env.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'
import { DEFAULT_MAPPING, type Mapped, type Mapping } from '../../core/sync/rules/wordpress-mapping.ts'
import { findValue, mapPost, neededMembers, type Post, titleOf } from './mapping.ts'
import { WordPressError } from './request.ts'
import { createWordPress, type WordPressSettings } from './wordpress.ts'

const POSTS = 3
const WIDTH = 27

/** Describes the first posts as the mapping reads them: each field with its value and the path where it was found. */
export async function preview(settings: WordPressSettings & { WORDPRESS_FIELDS?: Partial<Mapping> }): Promise<string> {
  const { WORDPRESS_URL: site, WORDPRESS_FIELDS: mapping } = settings
  const posts = await createWordPress(settings).readFirst({ members: neededMembers(mapping) })
  if (posts.length === 0) return 'WordPress has no posts of this type.'
  return posts
    .slice(0, POSTS)
    .map((post) => previewOf(post as Post, { site, mapping }))
    .join('\n\n')
}

function previewOf(post: Post, { site, mapping }: { site: string; mapping?: Partial<Mapping> }): string {
  const paths = { ...DEFAULT_MAPPING, ...mapping }
  const { wordpressId, isActive, fields, problems } = mapPost(post, { site, mapping })
  const used = new Set<string>()
  const lines = Object.entries(paths).map(([field, candidates]) => {
    const found = findValue(post, field as Mapped, candidates)
    if (!found) return `  ${field.padEnd(WIDTH)}(not in the post; looked at ${candidates.join(', ') || 'nothing'})`
    used.add(found.path)
    const value = field === 'active' ? isActive : fields[field as keyof typeof fields]
    return `  ${field.padEnd(WIDTH)}${JSON.stringify(value ?? null)}  from ${found.path}`
  })
  const others = ownPaths(post).filter((path) => !used.has(path))
  return [
    `Post ${wordpressId}, “${titleOf(post)}”${problems.length > 0 ? ': would be skipped' : ''}`,
    ...problems.map((problem) => `  ! ${problem}`),
    ...lines,
    others.length > 0 ? `  not used: ${others.join(', ')}` : '  Everything in acf and meta is used.',
  ].join('\n')
}

function ownPaths(post: Post): string[] {
  return ['acf', 'meta'].flatMap((place) => {
    const fields = post[place]
    if (typeof fields !== 'object' || fields === null) return []
    return Object.keys(fields).map((name) => `${place}.${name}`)
  })
}

/** Runs `npm run sync:preview`, which shows what WORDPRESS_FIELDS makes of the first posts. Returns the exit code. */
async function previewCommand(): Promise<number> {
  try {
    const env = readSyncEnv()
    if (!env.WORDPRESS_URL) throw new SettingsError('WordPress is not configured: set WORDPRESS_URL.')
    console.log(await preview({ ...env, WORDPRESS_URL: env.WORDPRESS_URL }))
    return 0
  } catch (error) {
    const { message } = error as Error
    const isPlain = error instanceof SettingsError || error instanceof WordPressError
    console.error(isPlain ? message : `The posts could not be read: ${message || String(error)}`)
    return 1
  }
}

if (isMain(import.meta.url)) process.exitCode = await previewCommand()
