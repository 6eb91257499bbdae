import fs from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, type Plugin, type UserConfig } from 'vite'

interface FrontEnd {
  readonly root: string
  /** HTML files of the root folder. */
  readonly pages: readonly string[]
  /** The modules of one file, with all that they need: what every screen has around it, the screen most visits begin with. */
  readonly first: readonly string[]
  /**
   * Further files by name, in the order in which a module that two of them need is given to one: their modules with all that these
   * need and the first file lacks. What one screen loads at once after its first paint would otherwise be two dozen requests.
   */
  readonly together?: Readonly<Record<string, readonly string[]>>
}

/** What the entry shares with other code. */
const OF_ENTRY = /vite\/preload-helper|\/ui\/session\/session-ended\.|\/features\/sign-in\/links\./
/** The styles of all screens, in the file of the first one's: one request less. */
const STYLES = /\/ui\/theme\/styles\.ts$/
/** Judged everywhere, first of all by the client of the APIs. */
const ERRORS = /\/@apollo\/client\/errors\/|preventUnhandledRejection|\/domain\/refusal\.ts/
/** Parts of many screens, half a kilobyte each: less than a file of its own costs. */
const SMALL_PARTS =
  /\/ui\/form\/(?:form\.module\.css|refused-fields|use-submission)|\/ui\/data\/(?:entity-options|note-download)\.ts|\/Icon(?:Checklist|Pencil|Trash)\.mjs/
const FORM_PARTS = /\/ui\/form\/(?:entity-form|form-section|(?:choice|date|number|suggest|text)-field)\.tsx$/

/** What the entry needs before the application is there: `startup-*.ts`, in a file of its own that is smaller. */
const STARTUP = /^startup-[\w-]+\.ts$/

/**
 * React with its compiler for the components that say 'use memo': large tables and charts. Compiling everything made the
 * first screen's code 8 % larger.
 */
export const reactPlugin = () => react({ compiler: { compilationMode: 'annotation' } })

/**
 * How every application of the browser is built: its entry `main.ts` loads `application.tsx`, and before that what there is
 * of {@link STARTUP}. Relative addresses: the server decides where an application lives.
 */
export function frontEnd({ root, pages, first, together = {} }: FrontEnd): UserConfig {
  const startup = fs
    .readdirSync(root)
    .filter(file => STARTUP.test(file))
    .map(file => path.join(root, file))
  const missing = [first, ...Object.values(together)].flat().find(file => !fs.existsSync(file))
  if (missing !== undefined) throw new Error(`${missing} does not exist`)
  return {
    root,
    base: './',
    plugins: [reactPlugin(), firstPage([...startup, path.join(root, 'application.tsx')])],
    // rxjs comes as ES5 otherwise.
    resolve: { conditions: ['es2015', ...defaultClientConditions] },
    server: { host: '127.0.0.1' },
    build: {
      outDir: path.join(root, 'dist'),
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // An inlined font or picture would be a data: address, which the content security policy refuses.
      assetsInlineLimit: 0,
      sourcemap: 'hidden',
      // What the page itself has loaded is not asked for again with every later part.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, parts) =>
          parts.filter(part => !/\/(?:application|preload|rolldown-runtime)-/.test(part)),
      },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        input: pages.map(page => path.join(root, page)),
        // What oidc-client-ts would say to a developer who asks for it; nobody can ask here.
        treeshake: { manualPureFunctions: ['logger2.debug', 'logger2.info'] },
        // What an application needs in any case is one file: a dozen small ones compress worse. So are the parts of forms,
        // which are loaded once; what dialogs use of them too is a small file beside it.
        output: {
          // The names of all files are in the first ones, and hashes do not compress: 42 bits tell 400 files and their versions apart.
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:7][extname]',
          codeSplitting: {
            groups: [
              // Otherwise the small entry would have to load the application for them.
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
 * The page asks for its entry first of all, and the entry waits for nothing: neither for the page's end nor for styles,
 * since what it asks the server has a longer way than they have. The modules are asked for beside it as what is needed
 * next, so that on a slow line their 160 KB do not share what the entry needs. The styles of all are in the page, in the
 * order in which the modules are named.
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
