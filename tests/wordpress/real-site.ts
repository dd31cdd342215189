import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MINUTE } from '../../core/contract/time.ts'
import { freePort } from '../../local/ports.ts'

const HERE = fileURLToPath(new URL('./', import.meta.url))
/** Where Debian's package has it. */
const WORDPRESS = '/usr/share/wordpress'
const MAX_REASON_LENGTH = 2000
const PROGRAMS = ['php', 'mariadbd', 'mariadb-install-db']

export type RealSite = {
  url: string
  /** The application password of the user `leadwell`. */
  password: string
  /** Changes the site: `plain` links, the user a `subscriber`, or `trash`, `draft` or `publish` of a post. */
  change(command: 'plain' | 'subscriber' | 'trash' | 'draft' | 'publish', post?: number): void
  stop(): Promise<void>
}

/** What is not installed; empty when everything is there. */
export function whatIsMissing(): string[] {
  const path = `${process.env.PATH}:/usr/sbin`.split(':')
  const missing = PROGRAMS.filter((program) => !path.some((folder) => existsSync(join(folder, program))))
  if (!missing.includes('php') && !hasMysqli()) missing.push('php-mysql')
  return existsSync(join(WORDPRESS, 'wp-load.php')) ? missing : [...missing, 'wordpress']
}

function hasMysqli(): boolean {
  return execFileSync('php', ['-m'], { encoding: 'utf8' }).split('\n').includes('mysqli')
}

/** Brings up a WordPress with 231 clinics and a draft, on a MariaDB of its own, in this folder. */
export async function startRealSite(folder: string): Promise<RealSite> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, PHP_CLI_SERVER_WORKERS: '4' }
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.reverse()) {
      if (hasEnded(child)) continue
      // With the workers of PHP's web server, which outlive it otherwise.
      process.kill(-Number(child.pid), 'SIGTERM')
      await once(child, 'exit')
    }
  }
  try {
    const socket = await startMariaDb(folder, env, children)
    const site = join(folder, 'site')
    const url = `http://127.0.0.1:${await freePort()}`
    execFileSync('cp', ['-rL', WORDPRESS, site], { stdio: 'ignore' })
    await writeFile(join(site, 'wp-config.php'), configOf({ socket, url }))
    await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true })
    execFileSync('cp', [join(HERE, 'clinics.php'), join(site, 'wp-content/mu-plugins/')])
    const php = (...args: string[]) =>
      execFileSync('php', ['-d', 'display_errors=stderr', join(HERE, 'site.php'), site, ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const { password } = JSON.parse(php('install').trim().split('\n').at(-1) ?? '')
    const server = ['-d', 'display_errors=0', '-S', new URL(url).host, '-t', site, join(HERE, 'router.php')]
    await startServer('php', server, { env, children, isUp: () => fetch(url).then(({ ok }) => ok) })
    return {
      url,
      password,
      change: (command, post) => void php(command, ...(post ? [String(post)] : [])),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts a MariaDB without network, for this folder alone. Returns its socket. */
async function startMariaDb(folder: string, env: NodeJS.ProcessEnv, children: ChildProcess[]): Promise<string> {
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const data = `--datadir=${join(folder, 'mariadb')}`
  const socket = join(folder, 'mariadb.sock')
  const install = ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db', ...user]
  // What it says when it fails is in the error.
  execFileSync('mariadb-install-db', install, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  await writeFile(join(folder, 'init.sql'), 'create database if not exists wordpress;\n')
  const options = [`--socket=${socket}`, '--skip-networking', `--init-file=${join(folder, 'init.sql')}`, ...user]
  await startServer('mariadbd', ['--no-defaults', data, ...options], { env, children, isUp: () => existsSync(socket) })
  return socket
}

function configOf({ socket, url }: { socket: string; url: string }): string {
  const constants = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: 'utf8mb4',
    WP_HOME: url,
    WP_SITEURL: url,
    // Application passwords without https.
    WP_ENVIRONMENT_TYPE: 'local',
    DISABLE_WP_CRON: true,
    WP_HTTP_BLOCK_EXTERNAL: true,
  }
  const lines = Object.entries(constants).map(([name, value]) => `define('${name}', ${JSON.stringify(value)});`)
  return [
    '<?php',
    ...lines,
    "$table_prefix = 'wp_';",
    "if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');",
    "require_once ABSPATH . 'wp-settings.php';",
  ].join('\n')
}

type Server = { env: NodeJS.ProcessEnv; children: ChildProcess[]; isUp: () => boolean | Promise<boolean> }

/** @throws Error with the end of what it said, when it ends or is not up within a minute */
async function startServer(program: string, args: string[], { env, children, isUp }: Server): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  children.push(child)
  let said = ''
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-MAX_REASON_LENGTH)))
  for (const deadline = Date.now() + MINUTE; Date.now() < deadline && !hasEnded(child); await sleep(200)) {
    if (await Promise.resolve(isUp()).catch(() => false)) return
  }
  throw new Error(`${program} ${hasEnded(child) ? 'has ended' : 'was not up within a minute'}:\n${said}`)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
