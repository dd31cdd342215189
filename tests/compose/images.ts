import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MINUTE } from '../../core/contract/time.ts'
import { type Engine, program } from './engine.ts'

const HERE = fileURLToPath(new URL('./', import.meta.url))

/** The images that the compose file and the Dockerfile take from public registries, for what is tried here. */
export type Images = { node: string; postgres: string; redis: string; mail: string }

/**
 * Makes sure that the engine has every image: those of the registries, or stand-ins of Debian's packages and npm's Node
 * under the same names, in Podman's storage of this run. Returns undefined, or why neither can be had.
 * @param cache folder in which what Debian gave is kept for the next time
 */
export async function provideImages(engine: Engine, images: Images, cache: string): Promise<string | undefined> {
  const first = await engine.run(['pull', `docker.io/library/${images.redis}`], MINUTE)
  if (first.status === 0 || engine.name === 'Docker') {
    for (const image of Object.values(images)) {
      const { status } = await engine.run(
        ['pull', image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`],
        5 * MINUTE,
      )
      if (status !== 0) return `the image ${image} cannot be pulled`
    }
    return undefined
  }
  console.log('  The public images cannot be pulled: stand-ins are made of Debian’s packages and npm’s Node.')
  return makeStandIns(engine, images, cache)
}

async function makeStandIns(engine: Engine, images: Images, cache: string): Promise<string | undefined> {
  const base = join(cache, 'base.tar')
  if (!existsSync(base)) {
    const problem = await makeBase(base, cache)
    if (problem) return problem
  }
  const imported = await engine.run(['import', '--quiet', base, 'localhost/leadwell-base:latest'], 5 * MINUTE)
  if (imported.status !== 0) return `Debian cannot be imported: ${imported.stderr}`

  const folder = await mkdtemp(join(cache, 'stand-ins-'))
  try {
    const problem = await prepareNode(folder, images.node)
    if (problem) return problem
    for (const file of ['mail-sink.mjs', 'postgres.sh']) await cp(join(HERE, file), join(folder, file))
    for (const [name, lines] of Object.entries(standIns(images))) {
      const file = join(folder, 'Dockerfile')
      await writeFile(file, lines.join('\n'))
      const built = await engine.run(['build', '--quiet', '--file', file, '--tag', name, folder], 5 * MINUTE)
      if (built.status !== 0) return `the stand-in of ${name} cannot be built: ${built.stderr}`
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return undefined
}

/** Each as the public image is used by the compose file: the same users, folders and programs. */
function standIns({ node, postgres, redis, mail }: Images): Record<string, string[]> {
  const full = (image: string) => (image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`)
  return {
    [full(node)]: [
      'FROM localhost/leadwell-base:latest',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node',
      'COPY ca.pem /etc/ssl/certs/ca-certificates.crt',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
    ],
    [full(postgres)]: [
      'FROM localhost/leadwell-base:latest',
      'RUN usermod --uid 999 postgres && groupmod --gid 999 postgres && rm -rf /var/lib/postgresql/* && mkdir -p /docker-entrypoint-initdb.d && chown 999:999 /var/lib/postgresql && install --directory --owner 999 --group 999 --mode 3777 /run/postgresql && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/',
      'COPY postgres.sh /entrypoint.sh',
      'VOLUME /var/lib/postgresql',
      'ENTRYPOINT ["sh", "/entrypoint.sh"]',
    ],
    [full(redis)]: [
      'FROM localhost/leadwell-base:latest',
      'RUN mkdir -p /data && chown 999:999 /data',
      'VOLUME /data',
      'WORKDIR /data',
    ],
    [full(mail)]: [
      'FROM localhost/leadwell-base:latest',
      'COPY node /usr/local/bin/node',
      'COPY mail-sink.mjs /mail-sink.mjs',
      `RUN printf '#!/bin/sh\\nexec node /mail-sink.mjs "$@"\\n' > /mailpit && chmod 755 /mailpit`,
      'ENTRYPOINT ["/mailpit"]',
    ],
  }
}

async function makeBase(base: string, cache: string): Promise<string | undefined> {
  await mkdir(cache, { recursive: true })
  const root = await mkdtemp(join(cache, 'root-'))
  try {
    const packages = 'ca-certificates,postgresql,redis-server'
    const made = await program('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root], {
      timeout: 8 * MINUTE,
    })
    if (made.status !== 0) return 'neither public images nor Debian’s packages (debootstrap) can be had'
    const packed = await program('tar', ['-C', root, '--exclude=./proc/*', '--exclude=./sys/*', '-cf', base, '.'], {
      timeout: 5 * MINUTE,
    })
    return packed.status === 0 ? undefined : `Debian cannot be packed: ${packed.stderr}`
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Node of the image's major version from npm, with this machine's npm and authorities. Returns why it cannot be had. */
async function prepareNode(folder: string, image: string): Promise<string | undefined> {
  const name = `node-linux-${process.arch}`
  const version = /:(\d+)/.exec(image)?.[1]
  const packages = join(folder, 'packages')
  const installed = await program('npm', ['install', '--prefix', packages, `${name}@${version}`], {
    timeout: 2 * MINUTE,
  })
  if (installed.status !== 0) return `Node ${version} cannot be had from npm: ${installed.stderr}`
  await cp(join(packages, 'node_modules', name, 'bin', 'node'), join(folder, 'node'))
  await rm(packages, { recursive: true })

  const { stdout } = await program('npm', ['root', '--global'])
  await cp(join(stdout.trim(), 'npm'), join(folder, 'npm'), { recursive: true })
  await cp(process.env.NODE_EXTRA_CA_CERTS || '/etc/ssl/certs/ca-certificates.crt', join(folder, 'ca.pem'))
}
