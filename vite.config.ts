import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { palette } from './core/brand/palette.ts'
import { NOTICES_PATH } from './core/contract/page.ts'

/**
 * Removes the <style> element that sonner adds at load time, which our Content-Security-Policy blocks. The styles come
 * from the style sheet of the same package instead (see web/ui/toaster.tsx).
 */
function sonnerWithoutInlineStyles(): Plugin {
  const INJECTION = /^__insertCSS\(".*"\);?$/m
  return {
    name: 'sonner-without-inline-styles',
    transform(code, id) {
      if (!id.includes('/sonner/dist/index.mjs')) return null
      if (!INJECTION.test(code)) throw new Error('sonner no longer injects its styles the way this plugin expects')
      return { code: code.replace(INJECTION, ''), map: null }
    },
  }
}

/** Sets the color of a phone's browser frame around the page. */
const themeColor: Plugin = {
  name: 'theme-color',
  transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'theme-color', content: palette.primary } }],
}

/** The script that runs before the first interaction. */
const MAIN = /\/web\/main\.ts$|rolldown.runtime/
/** React, the home page and its shell, with their imports. */
const SITE = /\/node_modules\/(react|react-dom|scheduler)\/|\/web\/(client|site\/pages\/home-page)\.tsx$/
/** One file each, because every request costs a phone half a second. */
const GROUPS = [
  { name: 'main', test: MAIN, priority: 1 },
  { name: 'site', test: SITE },
]

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  define: { 'import.meta.env.VITE_BUILD_YEAR': new Date().getFullYear() },
  plugins: [react(), tailwindcss(), sonnerWithoutInlineStyles(), themeColor],
  // Pre-bundled dependencies bypass the plugins.
  optimizeDeps: { exclude: ['sonner'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    license: isSsrBuild ? false : { fileName: NOTICES_PATH.slice(1) },
    // The Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    // Every supported browser has `modulepreload` (Safari since 17).
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: GROUPS } } },
  },
}))
