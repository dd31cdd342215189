// `npm run audit`: are there known vulnerabilities in what production runs? Asks the registry, and osv-scanner where it is
// installed, which can work offline (`osv-scanner --offline` with a downloaded database). Exit code 0: none known;
// 1: some; 2: nothing could be asked, so nothing is known.
import { spawnSync } from 'node:child_process'

type Verdict = 'none' | 'some' | 'unknown'

function askRegistry(): Verdict {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
  const total = totalOf(stdout)
  if (total === undefined) {
    console.log('The registry does not answer questions about vulnerabilities.')
    return 'unknown'
  }
  console.log(`The registry knows of ${total} vulnerabilities in what production runs.`)
  if (total === 0) return 'none'
  spawnSync('npm', ['audit', '--omit=dev'], { stdio: 'inherit' })
  return 'some'
}

/** Number of vulnerabilities in npm's answer; undefined where it is no answer. */
function totalOf(answer: string): number | undefined {
  try {
    return JSON.parse(answer).metadata?.vulnerabilities?.total
  } catch {
    return undefined
  }
}

function askScanner(): Verdict {
  const { error, status } = spawnSync('osv-scanner', ['--lockfile=package-lock.json', ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error) {
    console.log('osv-scanner is not installed (https://google.github.io/osv-scanner).')
    return 'unknown'
  }
  // Above 1 it could not scan. Source: osv-scanner, "Return codes".
  return status === 0 ? 'none' : status === 1 ? 'some' : 'unknown'
}

const verdicts = [askRegistry(), askScanner()]
if (verdicts.includes('some')) process.exitCode = 1
else if (!verdicts.includes('none')) {
  console.log('Nothing was checked: run this where the registry or osv-scanner can be had.')
  process.exitCode = 2
}
