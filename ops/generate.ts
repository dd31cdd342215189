import { readdir, readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { cssVariables, darkColors } from '../core/brand/colors.ts'
import { isMain } from '../core/cli/command-line.ts'
import { DEFINED as CONDITIONS } from '../core/conditions/condition.ts'
import '../core/conditions/conditions.ts'
import { EMAILS } from '../core/deliveries/emails.ts'
import { ApiSchema, EnvSchema, WorkerSchema } from '../core/env.ts'
import { DEFINED as EMAILS_DEFINED } from '../worker/emails/email.ts'
import { CRMS } from '../worker/senders/crm.ts'
import { webhookSchema } from '../worker/senders/webhook.ts'
import { consentProblems } from './consent-hash.ts'

const CRM_SHAPE: Record<string, z.ZodType> = Object.assign({}, ...CRMS.map(({ settings }) => settings.shape))
const SETTINGS = Object.entries({ ...EnvSchema.shape, ...CRM_SHAPE }).map(([name, schema]) => settingOf(name, schema))

/** The modules that define emails. Imported here, because `worker/emails/emails.ts` may not have a new one yet. */
const EMAIL_MODULES = await emailModules()
for (const name of EMAIL_MODULES) await import(`../worker/emails/${name}`)

/** Settings that the image, its containers or the migration decide, or that only the local demo has. */
const NOT_IN_COMPOSE = [...['NODE_ENV', 'HOST', 'PORT', 'METRICS_PORT'], ...['DATABASE_OWNER_URL', 'ADMIN_ACCESS']]
/** Settings without a usable default behind a proxy and on a host of their own. */
const COMPOSE_VALUES: Record<string, string> = {
  MAIN_DOMAIN: `\${MAIN_DOMAIN:?Set MAIN_DOMAIN}`,
  TRUST_PROXY_HOPS: `\${TRUST_PROXY_HOPS:-1}`,
}
/** The files that follow from the code, each with a function from its present text to the right one. */
const FILES: Record<string, (text: string) => string> = {
  '.env.example': envExample,
  'docs/settings.md': (text) => replaceBetween(text, '<!-- settings -->', '<!-- end of settings -->', settingsTable()),
  'docker-compose.yml': compose,
  'web/brand.css': brandCss,
  'core/deliveries/emails.ts': (text) =>
    replaceBetween(text, '// emails: npm run generate\n', '  // end', emailTable()),
  'worker/emails/emails.ts': (text) =>
    replaceBetween(
      text,
      '// definitions: npm run generate\n',
      '// end',
      EMAIL_MODULES.map((name) => `import './${name}'\n`).join(''),
    ),
  'core/conditions/contract/conditions.ts': (text) =>
    replaceBetween(text, '// conditions: npm run generate\n', '  // end', conditionTable()),
  'docs/webhook.schema.json': () => json(webhookSchema()),
}

/**
 * Runs `npm run generate`, which writes every generated file. With `--check` it writes nothing, and names those that are
 * out of date. Both refuse a changed consent text.
 * @returns the exit code: 1 when `--check` found one, or a consent text was changed
 */
export async function generate({ check }: { check: boolean }): Promise<number> {
  const problems = consentProblems(new Date().toISOString().slice(0, 10))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) return 1
  const stale: string[] = []
  for (const [name, make] of Object.entries(FILES)) {
    const file = new URL(`../${name}`, import.meta.url)
    const present = await readFile(file, 'utf8')
    const text = make(present)
    if (text === present) continue
    stale.push(name)
    if (!check) await writeFile(file, text)
  }
  if (check && stale.length > 0) console.error(`Out of date: ${stale.join(', ')}. Run npm run generate.`)
  else console.log(stale.length === 0 ? 'Every generated file is up to date.' : `Written: ${stale.join(', ')}`)
  return check && stale.length > 0 ? 1 : 0
}

async function emailModules(): Promise<string[]> {
  const folder = new URL('../worker/emails/', import.meta.url)
  const texts = (await readdir(folder))
    .toSorted()
    .map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') }))
  return (await Promise.all(texts)).filter(({ text }) => text.includes('= defineEmail(')).map(({ name }) => name)
}

const literal = (value: object) =>
  JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('"', "'")
    .replace(/}$/, ' }')

/** Lists the facts of the conditions, the most urgent first. */
function conditionTable(): string {
  const severities = ['high', 'medium', 'low']
  return CONDITIONS.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
    .map(({ id, find: _, details: __, complete: ___, present: ____, ...facts }) => `  '${id}': ${literal(facts)},\n`)
    .join('')
}

/** Lists the facts of the emails, by what they are about. */
function emailTable(): string {
  const rows = Object.keys(EMAILS).map((about) => [
    `  '${about}': {`,
    ...EMAILS_DEFINED.toSorted((a, b) => a.purpose.localeCompare(b.purpose))
      .filter((email) => email.about === about)
      .map(({ purpose, facts }) => `    ${purpose}: ${literal(facts)},`),
    '  },',
  ])
  return `${rows.flat().join('\n')}\n`
}

/** Writes the colors of the brand for Tailwind's classes, and those of the dark scheme for staff. */
function brandCss(): string {
  const rule = (selector: string, colors: string) => `${selector} {\n${colors.replace(/^/gm, '  ')}\n}`
  const dark = `color-scheme: dark;\n${cssVariables(darkColors())}`
  return `${[
    '/* Written by npm run generate from core/brand. */',
    `${rule('@theme', cssVariables())}\n`,
    `${rule('html[data-scheme="dark"]', dark)}\n`,
    rule('@media (prefers-color-scheme: dark)', rule('html[data-scheme="system"]', dark)),
  ].join('\n')}\n`
}

function settingOf(name: string, schema: z.ZodType) {
  const { default: written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { description = '', example, secret } = z.globalRegistry.get(schema) ?? {}
  // As it is written, where that is read as something else.
  const fallback = written ?? z.safeParse(schema, undefined).data
  const processes = [
    ...(name in ApiSchema.shape ? ['API'] : []),
    ...(name in WorkerSchema.shape || name in CRM_SHAPE ? ['worker'] : []),
  ]
  return {
    name,
    meaning: description,
    fallback: fallback === undefined ? '' : String(fallback),
    example: String(example ?? fallback ?? ''),
    isSecret: secret === true,
    isRequired: !z.safeParse(schema, undefined).success && !(name in CRM_SHAPE),
    processes: processes.length > 0 ? processes.join(', ') : 'migration',
  }
}

function settingsTable(): string {
  const rows = SETTINGS.map(({ name, fallback, processes, meaning }) => {
    return `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${processes} | ${meaning} |`
  })
  return ['', '| setting | default | read by | meaning |', '|---|---|---|---|', ...rows, '', ''].join('\n')
}

function envExample(): string {
  const head = `# The settings of every process, with examples. \`npm start\` reads this file as .env when it is there, and brings up what
# is missing; production processes read the environment only. Written by \`npm run generate\` from core/env.ts.
`
  return [head, ...SETTINGS.map(({ name, meaning, example }) => `# ${meaning}\n# ${name}=${example}\n`)].join('\n')
}

/** Fills the blocks of settings in the compose file. Each process gets its own settings, and secrets as files. */
function compose(text: string): string {
  const block = (processes: string, indent: string) => {
    const own = SETTINGS.filter((setting) => setting.processes === processes && !NOT_IN_COMPOSE.includes(setting.name))
    return `\n${own.map((setting) => `${indent}${composeLine(setting)}\n`).join('')}${indent}`
  }
  const blocks = [
    ['API and worker', block('API, worker', '  ')],
    ['the API', block('API', '      ')],
    ['the worker', block('worker', '      ')],
  ] as const
  return blocks.reduce(
    (result, [whose, lines]) => replaceBetween(result, `# Settings of ${whose}: npm run generate`, '# end', lines),
    text,
  )
}

function composeLine({ name, isSecret, isRequired, fallback }: (typeof SETTINGS)[number]): string {
  if (isSecret) return `${name}_FILE: /run/secrets/${name.toLowerCase()}`
  const value = isRequired ? `\${${name}:?Set ${name}}` : `\${${name}:-${/[{} ]/.test(fallback) ? '' : fallback}}`
  return `${name}: ${COMPOSE_VALUES[name] ?? value}`
}

/** @throws Error when a marker is missing */
function replaceBetween(text: string, start: string, end: string, content: string): string {
  const from = text.indexOf(start) + start.length
  const to = text.indexOf(end, from)
  if (from < start.length || to < 0) throw new Error(`The markers “${start}” and “${end}” are missing.`)
  return text.slice(0, from) + content + text.slice(to)
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

if (isMain(import.meta.url)) process.exitCode = await generate({ check: process.argv.includes('--check') })
