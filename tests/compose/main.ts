// `npm run test:compose`: builds the image and runs docker-compose.yml with Docker or Podman, as an operator would. Where no
// engine or no image can be had it says so and fails.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { freePort } from '../../local/ports.ts'
import { apiClient } from '../support/api-client.ts'
import { leadForm } from '../support/factories.ts'
import { BACKUP, RESTORE, RESTORE_BEFORE_18, TOMBSTONES } from '../support/operations.ts'
import { type Engine, findEngine, pause, program } from './engine.ts'
import { provideImages } from './images.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** All of it; what was started is taken down then, too. */
const TIME_LIMIT = 14 * MINUTE

type Ports = { api: number; mail: number }
/** The installation of this run: its own folder, project, ports and secrets. */
type Installation = {
  ports: Ports
  compose(args: string[], timeout?: number): Promise<string>
  /** Commands of docs/operations.md. */
  operate(commands: string): Promise<string>
}

const folder = await mkdtemp(join(tmpdir(), 'leadwell-compose-'))
const outOfTime = setTimeout(() => finish(1, `It took longer than ${TIME_LIMIT / MINUTE} minutes.`), TIME_LIMIT)
let takeDown = async () => {}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => finish(1, `Stopped by ${signal}.`))

const engine = await findEngine(folder, join(ROOT, '.data/compose'))
if (typeof engine === 'string') await leaveOut(engine)
else {
  takeDown = () => engine.close()
  try {
    await run(engine)
    await finish(0, `The compose file was tried with ${engine.name}.`)
  } catch (error) {
    await finish(1, `The compose file does not work: ${(error as Error).stack}`)
  }
}

async function run(engine: Engine): Promise<void> {
  const file = parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true })
  const images = {
    node: /^ARG NODE_IMAGE=(\S+)$/m.exec(await readFile(join(ROOT, 'Dockerfile'), 'utf8'))?.[1] as string,
    postgres: file.services.postgres.image,
    redis: file.services.redis.image,
    mail: file.services.mail.image,
  }
  const problem = await provideImages(engine, images, join(ROOT, '.data/compose'))
  if (problem) return leaveOut(problem)

  await passes('builds the image', async () => {
    const built = await engine.run(['build', '--network=host', '--tag', 'leadwell:one', ROOT], 10 * MINUTE)
    assert.equal(built.status, 0, `${built.stdout}${built.stderr}`.slice(-3000))
    // The next version, for the upgrade.
    assert.equal((await engine.run(['tag', 'leadwell:one', 'leadwell:two'])).status, 0)
  })
  await check(await install(engine, file))
}

/** Puts the compose file into a folder of its own, with ports of its own on this machine, and makes its secrets. */
async function install(engine: Engine, file: ReturnType<typeof parse>): Promise<Installation> {
  const home = join(folder, 'installation')
  await mkdir(join(home, 'bin'), { recursive: true })
  const ports = { api: await freePort(), mail: await freePort() }
  const { name: _, 'x-app': __, 'x-closed': ___, 'x-settings': ____, ...compose } = file
  for (const service of ['prometheus', 'grafana']) delete compose.services[service]
  for (const service of Object.values<{ build?: string; volumes?: string[] }>(compose.services)) {
    delete service.build
    service.volumes = service.volumes?.map((volume) => volume.replace(/^\.\//, ROOT))
  }
  compose.services.mail.ports = [`127.0.0.1:${ports.mail}:8025`]
  await writeFile(join(home, 'docker-compose.yml'), stringify(compose, { aliasDuplicateObjects: false }))
  const settings = {
    PORT: ports.api,
    LEADWELL_VERSION: 'one',
    PUBLIC_URL: `http://localhost:${ports.api}`,
    MAIN_DOMAIN: 'localhost',
    SMTP_URL: 'smtp://mail:1025',
    MAIL_FROM: 'Leadwell <care@leadwell.example>',
    TEAM_EMAIL: 'team@leadwell.example',
  }
  const env = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(home, '.env'), env.join(''))
  const made = await program('sh', [join(ROOT, 'ops/secrets.sh'), home])
  assert.equal(made.status, 0, made.stderr)

  const [command = '', ...first] = engine.compose.command
  const own = [...first, '--project-name', `leadwell-test-${process.pid}`, '--profile', 'trial']
  const tryCompose = (args: string[], timeout = 3 * MINUTE) =>
    program(command, [...own, ...args], { env: engine.compose.env, cwd: home, timeout })
  const compose_ = async (args: string[], timeout?: number) => {
    const { status, stdout, stderr } = await tryCompose(args, timeout)
    assert.equal(status, 0, `compose ${args.join(' ')}: ${stdout}${stderr}`.slice(-4000))
    return stdout
  }
  takeDown = async () => {
    if (process.exitCode) console.log((await tryCompose(['logs', '--no-color', '--tail=25'], MINUTE)).stdout)
    await tryCompose(['down', '--volumes', '--timeout', '5'], MINUTE)
    await engine.close()
  }
  // `docker compose` of the documentation is the one that was found here. docker-compose 1 calls `docker exec` by itself.
  const shim = `#!/bin/sh\n[ "$1" = compose ] || exec podman "$@"\nshift\nexec ${[command, ...own].join(' ')} "$@"\n`
  await writeFile(join(home, 'bin/docker'), shim)
  await chmod(join(home, 'bin/docker'), 0o755)
  return {
    ports,
    compose: compose_,
    async operate(commands) {
      const shellEnv = { ...engine.compose.env, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
      const ran = await program('sh', ['-e', '-c', commands], { env: shellEnv, cwd: home, timeout: 5 * MINUTE })
      assert.equal(ran.status, 0, ran.stderr.slice(-4000))
      return ran.stdout
    },
  }
}

async function check({ ports, compose, operate }: Installation): Promise<void> {
  const api = apiClient(`http://localhost:${ports.api}`)
  const sql = (text: string) =>
    compose(['exec', '-T', 'postgres', 'psql', '-U', 'leadwell', '-tA', '--set=ON_ERROR_STOP=1', '-c', text])
  const isReady = () =>
    fetch(`${api.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const sendLead = async () => {
    const form = leadForm()
    const { status, body } = await api.call('POST', '/api/leads', form, { 'idempotency-key': crypto.randomUUID() })
    assert.equal(status, 201, JSON.stringify(body))
    return form.email
  }
  const isMailed = async (address: string) => {
    const response = await fetch(`http://127.0.0.1:${ports.mail}/api/v1/messages?limit=500`).catch(() => undefined)
    return response?.ok === true && (await response.text()).includes(address)
  }
  const countLeads = async () => Number(await sql('select count(*) from leads'))

  await passes('starts, migrates and is healthy, with the role of the app and without a right of root', async () => {
    await compose(['up', '--detach'], 6 * MINUTE)
    await until('the API', isReady)
    const roles = await sql(`select distinct usename from pg_stat_activity where application_name like 'leadwell-%'`)
    assert.equal(roles.trim(), 'leadwell_app')
    assert.match(
      await compose(['exec', '-T', 'api', 'sh', '-c', 'id -u; grep CapBnd /proc/1/status']),
      /^[1-9]\d*\nCapBnd:\s+0+\n/,
    )
    await sql(`insert into providers (name, zip_code, email) values ('Dr. Test', '78701', 'clinic@clinics.example')`)
  })
  await passes('delivers a lead', async () => {
    const visitor = await sendLead()
    await until('the email to the visitor', () => isMailed(visitor))
    assert.ok(await isMailed('clinic@clinics.example'))
  })
  await passes('delivers what came in while no worker ran', async () => {
    await compose(['kill', '-s', 'SIGKILL', 'worker'])
    const visitor = await sendLead()
    await compose(['up', '--detach', 'worker'])
    await until('the email', () => isMailed(visitor))
  })
  await passes('is upgraded to another image', async () => {
    const before = await countLeads()
    await operate(`sed -i 's/^LEADWELL_VERSION=.*/LEADWELL_VERSION=two/' .env && docker compose up --detach api worker`)
    await until('the API', isReady)
    assert.match(await operate('docker compose ps'), /Up/)
    const visitor = await sendLead()
    await until('the email', () => isMailed(visitor))
    assert.equal(await countLeads(), before + 1)
  })
  await passes('restores a backup, as the documentation says', async () => {
    const before = await countLeads()
    await operate(BACKUP)
    await operate(TOMBSTONES)
    await sendLead()
    const version = Number(await sql('show server_version_num'))
    const restore =
      version < 180_000
        ? RESTORE_BEFORE_18.replaceAll('psql -U', 'docker compose exec -T postgres psql -U')
            .replaceAll('exec -T postgres docker compose exec -T postgres', 'exec -T postgres')
            .replaceAll(
              'pg_restore --file=leadwell.sql "$DUMP"',
              'docker compose exec -T postgres pg_restore --file=- < "$DUMP" > leadwell.sql',
            )
        : RESTORE
    await operate(restore.replace(/^ *DUMP=.*$/m, 'DUMP=$(ls leadwell-*.dump)'))
    await until('the API', isReady)
    assert.equal(await countLeads(), before)
    const visitor = await sendLead()
    await until('the email', () => isMailed(visitor))
  })
}

async function passes(what: string, test: () => Promise<void>): Promise<void> {
  await test()
  console.log(`  ok: ${what}`)
}

async function until(what: string, test: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90 * SECOND; Date.now() < end; await pause(500)) if (await test()) return
  throw new Error(`Waited in vain for ${what}.`)
}

async function leaveOut(reason: string): Promise<void> {
  await finish(1, `The compose file was NOT RUN: ${reason}.`)
}

async function finish(code: number, words: string): Promise<never> {
  clearTimeout(outOfTime)
  process.exitCode = code
  console.log(words)
  await takeDown().catch(() => {})
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  process.exit(code)
}
