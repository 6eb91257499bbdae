import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BROWSER_ARGS } from './tools/browser-args.ts'
import { findBrowser } from './tools/ensure-browser.ts'
import { reactPlugin } from './tools/front-end-config.ts'
import { LongFilesFirst } from './tools/long-files-first.ts'

const NOT_OURS = ['**/node_modules/**', '**/dist/**', 'data/**']
const browser = findBrowser()
/** Time limits end what hangs. A machine several times slower than usual must still pass. */
const slowMachine = { poll: { timeout: 60_000 } }
const limits = { testTimeout: 180_000, hookTimeout: 180_000 }
/** On a busy CI machine a browser may miss one moment: it is tried twice, and npm test names what needed that. */
const retry = process.env.CI ? 1 : 0
/** Node's own conditions: graphql would otherwise be loaded twice (its development build beside the one that Pothos has). */
const onNode = { ssr: { resolve: { conditions: ['node', 'module-sync'] } } }

/**
 * Files that a worker runs one after the other share its modules: loading those of the server again took a fifth of the
 * time. What a file changes for its whole process it puts back, or fails; a spy goes before the next test.
 */
const sharesModules = {
  isolate: false,
  restoreMocks: true,
  setupFiles: ['./testing/leave-process-alone.ts'],
}

/**
 * Projects: `node` (fast, real PostgreSQL and DuckDB), `browser` (components in Chromium), `e2e` (the running system in
 * Chromium), `faults` (kills and crashes; only by npm run test:faults). They run one after the other, each two files at a
 * time: two processors are enough, and a time limit is never missed because another project was busy. Those of `node` wait
 * for disks and databases a third of their time: three of them keep two processors busy.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: false,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        ...onNode,
        test: {
          name: 'node',
          maxWorkers: 3,
          ...sharesModules,
          expect: slowMachine,
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts'],
          include: ['{bench,demo,domain,platform,ui,features,apps,testing,tools,scenarios}/**/*.test.ts'],
          exclude: [...NOT_OURS, '**/*.faults.test.ts'],
          sequence: { groupOrder: 0 },
          ...limits,
          // Days and months are those of Tokyo whatever the machine's own zone is.
          env: { TZ: 'America/Los_Angeles' },
        },
      },
      {
        plugins: [reactPlugin()],
        test: {
          name: 'browser',
          expect: slowMachine,
          retry,
          include: ['{ui,features,apps}/**/*.browser.test.tsx'],
          exclude: NOT_OURS,
          sequence: { groupOrder: 1 },
          ...limits,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1440, height: 900 },
            provider: playwright({
              launchOptions: {
                ...(browser ? { executablePath: browser } : {}),
                args: [...BROWSER_ARGS],
              },
              contextOptions: { locale: 'ja-JP', timezoneId: 'America/Los_Angeles' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        ...onNode,
        test: {
          name: 'e2e',
          expect: slowMachine,
          retry,
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts', './e2e/system-global-setup.ts'],
          include: ['e2e/**/*.test.ts'],
          exclude: NOT_OURS,
          sequence: { groupOrder: 2 },
          ...limits,
          testTimeout: 300_000,
          env: browser ? { CHROMIUM_PATH: browser } : {},
        },
      },
      {
        ...onNode,
        test: {
          name: 'faults',
          expect: slowMachine,
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts'],
          include: ['**/*.faults.test.ts'],
          exclude: NOT_OURS,
          sequence: { groupOrder: 3 },
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
