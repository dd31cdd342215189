import type { Changes } from '../../core/contract/events.ts'

/** The browser's end of `GET /api/events`, which a test can open, lose and speak through. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static readonly all: FakeEventSource[] = []

  readyState = FakeEventSource.CONNECTING
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    FakeEventSource.all.push(this)
  }

  /** Opens those that connect, as the server does: something may have been missed before. */
  static openAll(): void {
    for (const source of FakeEventSource.all) {
      if (source.readyState !== FakeEventSource.CONNECTING) continue
      source.readyState = FakeEventSource.OPEN
      source.dispatchEvent(new Event('open'))
      source.dispatchEvent(new MessageEvent('resync', { data: '{}' }))
    }
  }

  /** Tells the page what has changed, as the server does. */
  static announce(changes: Changes): void {
    for (const source of FakeEventSource.all) {
      if (source.readyState === FakeEventSource.CLOSED) continue
      source.dispatchEvent(new MessageEvent('changes', { data: JSON.stringify(changes) }))
    }
  }

  /** Fails permanently, as after an answer that is no stream. */
  static loseAll(): void {
    for (const source of FakeEventSource.all) {
      source.close()
      source.dispatchEvent(new Event('error'))
    }
  }

  static closeAll(): void {
    for (const source of FakeEventSource.all) source.close()
    FakeEventSource.all.length = 0
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
  }
}
