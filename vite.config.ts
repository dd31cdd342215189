import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brand } from './core/brand/brand.ts'

/**
 * sonner adds a <style> element when it is loaded, which our Content-Security-Policy refuses. Its styles come from
 * the style sheet of the same package instead (see web/ui/toaster.tsx).
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

/** The color that a phone gives its own frame around the page. */
const themeColor: Plugin = {
  name: 'theme-color',
  transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'theme-color', content: brand.colors.primary } }],
}

/** What runs before anybody has touched the page. */
const MAIN = /\/web\/main\.ts$/
/** React, and what draws the home page and the frame around it; what these import is taken with them. */
const SITE = /\/node_modules\/(react|react-dom|scheduler)\/|\/web\/(client|site\/pages\/home-page)\.tsx$/
/** In one file each: every request costs a phone half a second. */
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
    // A data: address would have to be allowed by the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Every browser that runs our modules knows `modulepreload` (Safari since 17).
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: GROUPS } } },
  },
}))
