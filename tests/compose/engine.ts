import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MINUTE, SECOND } from '../../core/contract/time.ts'

/** What a program came to. */
export type Ran = { status: number; stdout: string; stderr: string }

/** An engine that runs containers: `run` calls it, `compose` the program that reads the compose file. */
export type Engine = {
  name: string
  run(args: string[], timeout?: number): Promise<Ran>
  /** The program and its first arguments, and its environment. */
  compose: { command: string[]; env: NodeJS.ProcessEnv }
  /** Whether its images are those of the public registries. */
  close(): Promise<void>
}

/** Runs a program to its end, or kills it after `timeout` milliseconds. Never throws. */
export async function program(
  command: string,
  args: string[],
  { timeout = MINUTE, env = process.env, cwd }: { timeout?: number; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Ran> {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout, killSignal: 'SIGKILL' })
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', (code) => resolve(code ?? 1))
  })
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

const works = async (command: string, ...args: string[]) =>
  (await program(command, args, { timeout: 20 * SECOND })).status === 0

/**
 * Finds Docker with compose, or Podman with docker-compose; or says why there is neither. Podman keeps its images in `cache`,
 * everything else in `folder`.
 */
export async function findEngine(folder: string, cache: string): Promise<Engine | string> {
  if ((await works('docker', 'info')) && (await works('docker', 'compose', 'version'))) {
    return {
      name: 'Docker',
      run: (args, timeout) => program('docker', args, { timeout }),
      compose: { command: ['docker', 'compose'], env: process.env },
      close: async () => {},
    }
  }
  if (!(await works('podman', '--version'))) return 'neither a running Docker nor Podman is installed'
  if (!(await works('docker-compose', 'version'))) return 'docker-compose is not installed'
  if (process.getuid?.() !== 0) return 'Podman is only tried as root'
  return startPodman(folder, cache)
}

/**
 * Podman with storage, networks and settings of its own, so that nothing of this machine's is touched or left behind, and
 * the service that docker-compose talks to.
 */
async function startPodman(folder: string, cache: string): Promise<Engine | string> {
  const at = (name: string) => join(folder, name)
  for (const path of [at('run'), at('networks'), join(cache, 'storage')]) await mkdir(path, { recursive: true })
  const runtime = existsSync('/usr/sbin/runc') || existsSync('/usr/bin/runc') ? 'runc' : 'crun'
  await writeFile(
    at('containers.conf'),
    `[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=1024:1024"]\n[engine]\nruntime="${runtime}"\n` +
      `cgroup_manager="cgroupfs"\n[network]\nnetwork_config_dir="${at('networks')}"\n`,
  )
  await writeFile(
    at('storage.conf'),
    `[storage]\ndriver="overlay"\ngraphroot="${join(cache, 'storage')}"\nrunroot="${at('run')}"\n`,
  )
  const socket = `unix://${at('podman.sock')}`
  const env = {
    ...process.env,
    CONTAINERS_CONF: at('containers.conf'),
    CONTAINERS_STORAGE_CONF: at('storage.conf'),
    DOCKER_HOST: socket,
  }
  const run: Engine['run'] = (args, timeout) => program('podman', args, { timeout, env })
  const service = spawn('podman', ['system', 'service', '--time=0', socket], { env, stdio: 'ignore' })
  const ended = once(service, 'exit').catch(() => {})
  const health = keepHealth(run)
  const stop = async () => {
    health.stop()
    stopChild(service)
    await ended
  }
  for (let tries = 0; tries < 50 && !existsSync(at('podman.sock')); tries++) await pause(200)
  const info = await run(['info'])
  if (info.status !== 0 || !existsSync(at('podman.sock'))) {
    await stop()
    return `Podman does not work here: ${info.stderr.trim().split('\n').at(-1)}`
  }
  return { name: 'Podman', run, compose: { command: ['docker-compose'], env }, close: stop }
}

/** Podman leaves health checks to systemd; where there is none they are run from here. */
function keepHealth(run: Engine['run']): { stop(): void } {
  let isStopped = false
  const loop = async () => {
    while (!isStopped) {
      await pause(SECOND)
      const { stdout } = await run(['ps', '--quiet', '--filter', 'status=running'], 10 * SECOND)
      for (const id of stdout.split('\n').filter(Boolean))
        if (!isStopped) await run(['healthcheck', 'run', id], 10 * SECOND)
    }
  }
  loop()
  return {
    stop() {
      isStopped = true
    },
  }
}

function stopChild(child: ChildProcess): void {
  if (child.exitCode === null) child.kill('SIGTERM')
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
