import fs from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, type Plugin, type UserConfig } from 'vite'

interface FrontEnd {
  readonly root: string
  /** HTML files of the root folder. */
  readonly pages: readonly string[]
  /** Modules of the first file: what surrounds every screen, and the most visited screen. */
  readonly first: readonly string[]
  /**
   * Further files by name. A module that two of them need goes to the first one listed. Without them, what a screen
   * loads after its first paint would be two dozen requests.
   */
  readonly together?: Readonly<Record<string, readonly string[]>>
}

/** Modules that the entry shares with other code. */
const OF_ENTRY = /vite\/preload-helper|\/ui\/session\/session-ended\.|\/features\/sign-in\/links\./
/** Global styles, in the first file to save a request. */
const STYLES = /\/ui\/theme\/styles\.ts$/
/** Error classes, used everywhere and first by the API client. */
const ERRORS = /\/@apollo\/client\/errors\/|preventUnhandledRejection|\/domain\/refusal\.ts/
/** Parts of many screens, half a kilobyte each: a file of its own would cost more. */
const SMALL_PARTS =
  /\/ui\/form\/(?:form\.module\.css|refused-fields|use-submission)|\/ui\/data\/(?:entity-options|note-download)\.ts|\/Icon(?:Checklist|Trash)\.mjs/
const FORM_PARTS = /\/ui\/form\/(?:entity-form|form-section|(?:choice|date|number|suggest|text)-field)\.tsx$/

const IMPORT = /\bimport\('\.\/([\w-]+\.tsx?)'\)/g
const APPLICATION = 'application.tsx'

/**
 * React with its compiler for components marked 'use memo': large tables and charts. Compiling all components made the
 * first screen's code 8 % larger.
 */
export const reactPlugin = () => react({ compiler: { compilationMode: 'annotation' } })

/**
 * Vite configuration of all browser applications. What the entry `main.ts` imports on demand beside `application.tsx` it
 * needs earlier, in a smaller file of its own. Addresses are relative: the server decides where an application is mounted.
 */
export function frontEnd({ root, pages, first, together = {} }: FrontEnd): UserConfig {
  const loaded = [...fs.readFileSync(path.join(root, 'main.ts'), 'utf8').matchAll(IMPORT)].map(([, file]) => file!)
  const startup = loaded.filter(file => file !== APPLICATION).map(file => path.join(root, file))
  const missing = [first, ...Object.values(together)].flat().find(file => !fs.existsSync(file))
  if (missing !== undefined) throw new Error(`${missing} does not exist`)
  return {
    root,
    base: './',
    plugins: [reactPlugin(), firstPage([...startup, path.join(root, APPLICATION)])],
    // Otherwise rxjs resolves to ES5 code.
    resolve: { conditions: ['es2015', ...defaultClientConditions] },
    server: { host: '127.0.0.1' },
    build: {
      outDir: path.join(root, 'dist'),
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // An inlined font or image would be a `data:` URL, which the Content Security Policy blocks.
      assetsInlineLimit: 0,
      sourcemap: 'hidden',
      // Files that the page has already loaded are not listed again for every later chunk.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, parts) =>
          parts.filter(part => !/\/(?:application|preload|rolldown-runtime)-/.test(part)),
      },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        input: pages.map(page => path.join(root, page)),
        // Debug messages of oidc-client-ts are removed from the build.
        treeshake: { manualPureFunctions: ['logger2.debug', 'logger2.info'] },
        // What an application needs in any case is one file: a dozen small ones compress worse. So are the parts of forms,
        // which are loaded once; what dialogs use of them too is a small file beside it.
        output: {
          // The names of all files are in the first ones, and hashes do not compress. 42 bits distinguish 400 files and
          // their versions.
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:7][extname]',
          codeSplitting: {
            groups: [
              // Otherwise the small entry would have to load the application to get these modules.
              { name: 'preload', test: OF_ENTRY, priority: 5 },
              { name: 'startup', test: id => startup.includes(id), priority: 5 },
              {
                name: 'application',
                test: id => first.includes(id) || STYLES.test(id) || ERRORS.test(id) || SMALL_PARTS.test(id),
                priority: 4,
              },
              ...Object.entries(together).map(([name, modules]) => ({
                ...{ name, test: (id: string) => modules.includes(id), priority: 3 },
              })),
              { name: 'number-text', test: /\/ui\/form\/number-text\./, priority: 2 },
              { name: 'form', test: FORM_PARTS, priority: 1 },
            ],
          },
        },
      },
    },
  }
}

/**
 * The page loads its entry first, and the entry waits neither for the end of the page nor for styles, because its
 * request to the server takes longest. The other modules are preloaded with lower priority, so that on a slow line
 * their 160 KB do not delay the entry. Global styles are linked in the order in which the modules name them.
 */
function firstPage(modules: readonly string[]): Plugin {
  return {
    name: 'first-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        if (!bundle || !filename.endsWith('index.html')) return html
        const chunks = Object.values(bundle).filter(one => one.type === 'chunk')
        const closureOf = (chunk: (typeof chunks)[number] | undefined): typeof chunks =>
          chunk ? [...chunk.imports.flatMap(name => closureOf(chunks.find(one => one.fileName === name))), chunk] : []
        const entry = chunks.find(one => one.isEntry && one.facadeModuleId === filename)
        const ofEntry = new Set(closureOf(entry))
        const found = new Set(
          modules.flatMap(module => {
            const chunk = chunks.find(one => one.facadeModuleId === module || one.moduleIds.includes(module))
            if (!chunk) throw new Error(`no chunk was made of ${module}`)
            return closureOf(chunk)
          }),
        )
        const styles = new Set([...found].flatMap(chunk => [...(chunk.viteMetadata?.importedCss ?? [])]))
        const link = (attrs: Record<string, string | boolean>) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { ...attrs, crossorigin: true },
        })
        return {
          html: html.replace('<script type="module" ', '<script type="module" async fetchpriority="high" '),
          tags: [
            ...[...styles].map(file => link({ rel: 'stylesheet', href: `./${file}` })),
            ...[...found]
              .filter(chunk => chunk !== entry)
              .map(chunk => ({ href: `./${chunk.fileName}`, fetchpriority: ofEntry.has(chunk) ? 'high' : 'low' }))
              .map(attrs => link({ rel: 'modulepreload', ...attrs })),
            ...Object.keys(bundle)
              .filter(file => file.endsWith('.woff2'))
              .map(file =>
                link({ rel: 'preload', as: 'font', type: 'font/woff2', fetchpriority: 'low', href: `./${file}` }),
              ),
          ],
        }
      },
    },
  }
}
