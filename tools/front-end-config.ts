import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

interface FrontEnd {
  readonly root: string
  /** HTML files of the root folder. */
  readonly pages: readonly string[]
  /** Modules that the page asks for before its entry has run: the application, the screen most visits begin with. */
  readonly preloaded?: readonly string[]
}

/** How every application of the browser is built. Relative addresses: the server decides where an application lives. */
export function frontEnd({ root, pages, preloaded = [] }: FrontEnd): UserConfig {
  return {
    root,
    base: './',
    plugins: [react({ compiler: true }), preload(preloaded)],
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

/** Adds <link rel="modulepreload"> for modules with a chunk of their own, and for what those import. */
function preload(modules: readonly string[]): Plugin {
  return {
    name: 'preload-modules',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (!bundle || !filename.endsWith('index.html')) return []
        const chunks = Object.values(bundle).filter(one => one.type === 'chunk')
        const files = modules.flatMap(module => {
          const chunk = chunks.find(one => one.facadeModuleId === module)
          if (!chunk) throw new Error(`no chunk was made of ${module}`)
          return [chunk.fileName, ...chunk.imports]
        })
        const pageEntry = chunks.find(one => one.isEntry && one.facadeModuleId === filename)?.fileName
        return [...new Set(files)]
          .filter(file => file !== pageEntry)
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
