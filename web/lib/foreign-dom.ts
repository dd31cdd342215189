/**
 * Lets React work on a page that a browser's translation or an extension changes (react#11538). Those replace text nodes by
 * `<font>` elements, or wrap nodes in elements of their own, and React's next `insertBefore` or `removeChild` would throw
 * and take the whole page down. Must run before React renders.
 */
export function tolerateForeignChanges(): void {
  const proto = Node.prototype
  const { insertBefore, appendChild, removeChild } = proto
  const nodeValue = Object.getOwnPropertyDescriptor(proto, 'nodeValue')

  proto.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    dropStandIn(child)
    if (!before || before.parentNode === this) return insertBefore.call(this, child, before) as Child
    const place = childHolding(this, before)
    return (place ? insertBefore.call(this, child, place) : appendChild.call(this, child)) as Child
  }

  proto.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    dropStandIn(child)
    return appendChild.call(this, child) as Child
  }

  proto.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child
    const present = presentNode(child)
    if (present && this.contains(present)) removeWithWrappers(this, present)
    return child
  }

  // The visible text is the translation of an earlier one. The new text takes its place, and is translated in turn.
  if (nodeValue?.get && nodeValue.set) {
    const { get, set } = nodeValue
    Object.defineProperty(Text.prototype, 'nodeValue', {
      configurable: true,
      enumerable: true,
      get,
      set(this: Text, value: string | null) {
        set.call(this, value)
        const present = presentNode(this)
        if (present && present !== this) present.parentNode?.replaceChild(this, present)
      },
    })
  }

  watcher = new MutationObserver(recordStandIns)
  watcher.observe(document, { childList: true, subtree: true })
  noteForeign(document.body)
}

/** Tells whether a translation or an extension has added parts since the start. React removes them on a redraw. */
export function isChanged(): boolean {
  recordStandIns(watcher?.takeRecords() ?? [])
  return hasForeign
}

/** Many extensions put an element of their own beside ours, at the end of the body: that changes nothing for React. */
function noteForeign(added: Element): void {
  hasForeign ||= [added, ...added.querySelectorAll('*')].some(
    (element) => FOREIGN.test(element.localName) && element.closest('#root'),
  )
}

/** Elements that no page of ours has. */
const FOREIGN = /-|^font$|^mark$/
let hasForeign = false

/** The element that took the place of a text node that React still uses. */
const standIns = new WeakMap<Node, Node>()
let watcher: MutationObserver | undefined

function recordStandIns(records: MutationRecord[]): void {
  const added = new Set<Node>()
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const node of addedNodes) {
      added.add(node)
      if (!hasForeign && node instanceof Element) noteForeign(node)
    }
    for (const node of removedNodes) {
      if (!(node instanceof Text)) continue
      // Replaced in one step, or by an element that was put beside it just before.
      const beside = [previousSibling, nextSibling].find((sibling) => sibling instanceof Element && added.has(sibling))
      const standIn = addedNodes[0] ?? beside
      if (standIn && standIn !== node) standIns.set(node, standIn)
    }
  }
}

/** Returns the node itself while it is in the page, else what stands in for it there. */
function presentNode(node: Node): Node | undefined {
  if (node.parentNode) return node
  recordStandIns(watcher?.takeRecords() ?? [])
  let standIn = standIns.get(node)
  // A stand-in may have been replaced, too.
  for (let steps = 0; standIn && !standIn.parentNode && steps < 10; steps += 1) standIn = standIns.get(standIn)
  return standIn?.parentNode ? standIn : undefined
}

/** Returns the child of `parent` that is, contains or stands in for the node. */
function childHolding(parent: Node, node: Node): Node | undefined {
  let child: Node | null | undefined = presentNode(node)
  while (child && child.parentNode !== parent) child = child.parentNode
  return child ?? undefined
}

/** Removes the node, and wrappers around it that are then empty. */
function removeWithWrappers(parent: Node, node: Node): void {
  const wrapper = node.parentNode
  wrapper?.removeChild(node)
  if (wrapper && wrapper !== parent && !wrapper.hasChildNodes()) removeWithWrappers(parent, wrapper)
}

/** Removes what stands in for a node that is put into the page again. */
function dropStandIn(node: Node): void {
  if (node.parentNode || !(node instanceof Text)) return
  const present = presentNode(node)
  present?.parentNode?.removeChild(present)
}
