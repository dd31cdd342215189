import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brand } from '../core/brand/brand.ts'
import { clinicTexts } from '../core/brand/clinic-texts.ts'
import { consentTexts } from '../core/brand/consent-texts.ts'
import type { ConsentEntry } from '../core/brand/type.ts'
import { isMain } from '../core/cli/command-line.ts'
import { consentHash } from './consent-hash.ts'
import { brand as secondBrand, palette as secondPalette } from './second-brand.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BRAND = 'core/brand/brand.ts'
const PALETTE = 'core/brand/palette.ts'
const CONSENT_TEXTS = 'core/brand/consent-texts.ts'

/** The brand's own files, what is written from them, and records of the past. */
const EXEMPT =
  /^(core\/brand\/|web\/brand\.css$|web\/public\/|docs\/decisions\/|docs\/pictures\/|ops\/second-brand\.ts$)/
const COLOR_TESTS = 'tests/web/colors.test.ts'
/** Where pages and emails are: they make no claim of their own. Policies speak of what is not promised. */
const SHOWN = /^(?:web\/(?!site\/legal\/)|worker\/emails\/).*\.tsx?$/
/** Words of claims about a treatment or its payment. */
const CLAIM =
  /\bsurg(?:ery|eon|ical)|\bfillers?\b|\bclinically\b|\bproven\b|\burolog|\bside effects?\b|\badverse\b|\b(?:increase|bigger|thicker)\b.*(?:size|[!?])|\benhancement\b|\bAPR\b|\bcredit (?:check|score)|\bapproved credit\b|\$\d|\bspots\b/i
const withoutComment = (line: string) => line.replace(/^\s*(?:\/\*\*?|\*|\/\/).*/, '')
const STYLED = /\.(tsx?|css|html)$/
/** A color as digits or as a function of CSS. The functions that mix variables are none. */
const COLOR = /(?<![\w&])#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/i

/**
 * Runs `npm run brand -- literals`, which looks for names, colors and claims of a brand outside of `core/brand`; or `npm run brand
 * -- check`, which also builds the site with a second brand of made-up values and runs the tests of colors on it.
 * @returns the exit code
 */
async function main([command]: string[]): Promise<number> {
  if (command !== 'literals' && command !== 'check') {
    console.error('Usage: npm run brand -- literals | check')
    return 1
  }
  const found = await findLiterals()
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error(`${found.length} names, colors or claims of a brand are outside of core/brand.`)
    return 1
  }
  console.log('No name, color or claim of a brand is outside of core/brand.')
  return command === 'check' ? trySecondBrand() : 0
}

/** Lists the lines of tracked files with a name, a color or a claim of the brand, as `file:line: text`. */
async function findLiterals(): Promise<string[]> {
  const names = [
    brand.company,
    new URL(brand.starterKitUrl).hostname,
    brand.creator.name,
    clinicTexts.certifiedProvider.name,
  ]
  const name = new RegExp([...names, ...brand.partners.map((partner) => partner.name)].join('|'), 'i')
  const found: string[] = []
  for (const file of trackedFiles()) {
    if (EXEMPT.test(file)) continue
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n')
    for (const [index, line] of lines.entries()) {
      const isFound =
        name.test(line) ||
        (STYLED.test(file) && COLOR.test(line)) ||
        (SHOWN.test(file) && CLAIM.test(withoutComment(line)))
      if (isFound) found.push(`${file}:${index + 1}: ${line.trim().slice(0, 100)}`)
    }
  }
  return found
}

/** Copies the project, gives the copy the second brand, builds it, and runs the tests that a brand's colors can fail. */
async function trySecondBrand(): Promise<number> {
  const copy = await mkdtemp(join(tmpdir(), 'leadwell-brand-'))
  const run = (program: string, args: string[]) => execFileSync(program, args, { cwd: copy, stdio: 'inherit' })
  try {
    for (const file of trackedFiles()) await cp(join(ROOT, file), join(copy, file), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const second = await readFile(join(ROOT, 'ops/second-brand.ts'), 'utf8')
    await writeFile(join(copy, BRAND), second.replace(`../${dirname(BRAND)}/`, './'))
    await writeFile(join(copy, PALETTE), `export const palette = ${JSON.stringify(secondPalette)}\n`)
    await writeFile(join(copy, CONSENT_TEXTS), secondConsentTexts())
    await drawLogos(join(copy, 'web/public'))
    run('npm', ['run', 'generate'])
    run('npm', ['run', 'build'])
    run('npx', ['vitest', 'run', '--project', 'unit', COLOR_TESTS])
    console.log('The site builds with a second brand, and its colors can be read.')
    return 0
  } catch (error) {
    console.error(`The second brand failed: ${(error as Error).message}`)
    return 1
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Returns the list of consent texts with the names of the second brand. */
function secondConsentTexts(): string {
  const texts: ConsentEntry[] = []
  for (const { sha256: _, ...text } of consentTexts) {
    const wording = text.wording.replace(brand.product, secondBrand.product).replace(brand.company, secondBrand.company)
    const hash = consentHash({ ...text, wording }, texts.at(-1)?.sha256 ?? '')
    texts.push({ ...text, wording, sha256: hash })
  }
  const type = "import type { ConsentEntry } from './type.ts'\n"
  return `${type}export const consentTexts: readonly ConsentEntry[] = ${JSON.stringify(texts)}\n`
}

/** Draws the logos that the second brand names. */
async function drawLogos(folder: string): Promise<void> {
  for (const { name, logo, width, height } of [...secondBrand.partners, ...secondBrand.financingPartners]) {
    const frame = `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
    await mkdir(join(folder, dirname(logo)), { recursive: true })
    await writeFile(join(folder, logo), `<svg ${frame}><title>${name}</title><text y="30">${name}</text></svg>\n`)
  }
}

function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
