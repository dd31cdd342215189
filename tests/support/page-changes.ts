// Changes that browsers and extensions make to a page. Each function runs in the page: `page.evaluate(translate)`, or before
// its scripts: `page.addInitScript(translateWhenParsed)`.

/** Replaces each text by two nested `<font>` elements, now and whenever one is added, as the translation of a browser does. */
export function translate(): void {
  const untranslated = 'script, style, textarea, title, noscript, font'
  const replace = (text: Text) => {
    if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(untranslated)) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = `ES ${text.data}`
    outer.append(inner)
    text.replaceWith(outer)
  }
  const replaceIn = (node: Node) => {
    if (node instanceof Text) return replace(node)
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    texts.forEach(replace)
  }
  replaceIn(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(replaceIn)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Wraps each text into an element, as extensions that mark words do: the text node itself moves. */
export function markWords(): void {
  const mark = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('script, style, textarea, title, noscript, mark'))
        continue
      const wrapper = document.createElement('mark')
      text.replaceWith(wrapper)
      wrapper.append(text)
    }
  }
  mark(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) mark(node)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Puts icons into labels and beside fields, and an element of its own at the end of the body, as password managers do. */
export function addIcons(): void {
  const icon = () => document.createElement('password-icon')
  for (const label of document.querySelectorAll('label')) label.append(icon())
  for (const field of document.querySelectorAll('input, textarea')) {
    field.setAttribute('data-gramm', 'false')
    field.after(icon())
  }
  document.body.append(icon())
}
