import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that a test can block, as a network or a restarting server does. */
export type PostgresGateway = {
  /** The database's address, by way of the gateway. */
  url: string
  /** Cuts every connection and refuses new ones. */
  block(): void
  unblock(): void
  close(): void
}

/** Passes everything on to the PostgreSQL at `databaseUrl`. */
export async function startPostgresGateway(databaseUrl: string): Promise<PostgresGateway> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isBlocked = false

  const server = createServer((client) => {
    if (isBlocked) return void client.resetAndDestroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
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
    close() {
      server.close()
      cutAll()
    },
  }
}
