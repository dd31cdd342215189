import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import '@date-fns/tz'
import { queryClient } from '../../web/lib/query-provider.tsx'
import { forgetInput } from '../../web/site/kept-input.ts'
import { fakeApi } from './api.ts'
import { FakeEventSource } from './event-source.ts'

// happy-dom has none of its own.
Object.assign(globalThis, { EventSource: FakeEventSource })

// A desktop, where lists are tables with every column.
;(window as unknown as { happyDOM: { setViewport(size: object): void } }).happyDOM.setViewport({
  width: 1440,
  height: 900,
})

// It draws nothing either: Leaflet, which draws the outlines of the states, does so into the void.
const drawsNothing = new Proxy({}, { get: () => () => {}, set: () => true })
HTMLCanvasElement.prototype.getContext = (() => drawsNothing) as unknown as HTMLCanvasElement['getContext']

// It works out every style sheet of a page for each question, and no page here has any: the styles of the element do.
const HIDDEN = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE'])
window.getComputedStyle = (element: Element) => {
  const { style } = element as HTMLElement
  const display = style.display || (HIDDEN.has(element.tagName) ? 'none' : 'block')
  const read = (name: string) => (name === 'display' ? display : style.getPropertyValue(name))
  return new Proxy(style, {
    get: (own, name) =>
      name === 'getPropertyValue' ? read : name === 'display' ? display : Reflect.get(own, name, own),
  })
}

// The first page of a worker loads every module that it needs.
configure({ asyncUtilTimeout: 15_000 })

beforeAll(() => fakeApi.listen())
afterEach(() => {
  cleanup()
  toast.dismiss()
  queryClient.clear()
  forgetInput()
  localStorage.clear()
  sessionStorage.clear()
  delete window.dataLayer
  FakeEventSource.closeAll()
  window.history.replaceState(null, '', '/')
  expect(fakeApi.takeProblems(), 'calls that the contract does not know').toEqual([])
})
afterAll(() => fakeApi.close())
