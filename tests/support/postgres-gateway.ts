import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that a test can block or silence, as a network or a server does that dies. */
export type PostgresGateway = {
  url: string
  /** Cuts every connection and refuses new ones. */
  block(): void
  unblock(): void
  /** Lets nothing through on the connections that are open, and leaves both ends in the belief that they are. */
  silence(): void
  close(): void
}

/** Passes everything on to the PostgreSQL at `databaseUrl`, each connection after `delay` milliseconds. */
export async function startPostgresGateway(databaseUrl: string, { delay = 0 } = {}): Promise<PostgresGateway> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let isBlocked = false

  const server = createServer((client) => {
    if (isBlocked) return void client.resetAndDestroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      if (delay > 0) setTimeout(() => from.pipe(to), delay)
      else from.pipe(to)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!silent.has(from)) to.destroy()
      })
    }
  })
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    block() {
      isBlocked = true
      cutAll()
    },
    unblock() {
      isBlocked = false
    },
    silence() {
      for (const socket of sockets) {
        silent.add(socket)
        socket.unpipe()
      }
    },
    close() {
      server.close()
      cutAll()
    },
  }
}
