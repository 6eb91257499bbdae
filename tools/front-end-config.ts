import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

interface FrontEnd {
  readonly root: string
  /** HTML files of the root folder. */
  readonly pages: readonly string[]
  /** Module of the screen that most visits begin with: the page asks for its code before the entry has run. */
  readonly landingChunk?: string
}

/** How every application of the browser is built. Relative addresses: the server decides where an application lives. */
export function frontEnd({ root, pages, landingChunk }: FrontEnd): UserConfig {
  return {
    root,
    base: './',
    plugins: [react({ compiler: true }), ...(landingChunk ? [preloadLanding(landingChunk)] : [])],
    server: { host: '127.0.0.1' },
    build: {
      outDir: path.join(root, 'dist'),
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // One stylesheet: the order of rules does not depend on the order of visits.
      cssCodeSplit: false,
      // An inlined font or picture would be a data: address, which the content security policy refuses.
      assetsInlineLimit: 0,
      sourcemap: 'hidden',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      rolldownOptions: { input: pages.map(page => path.join(root, page)) },
    },
  }
}

/** Adds <link rel="modulepreload"> for the landing screen and what it needs. */
function preloadLanding(module: string): Plugin {
  return {
    name: 'preload-landing',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (!bundle || !filename.endsWith('index.html')) return []
        const landing = Object.values(bundle).find(one => one.type === 'chunk' && one.facadeModuleId === module)
        if (landing?.type !== 'chunk') throw new Error(`no chunk was made of ${module}`)
        return [landing.fileName, ...landing.imports]
          .filter(file => {
            const chunk = bundle[file]
            return chunk?.type === 'chunk' && !chunk.isEntry
          })
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
