import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const browserTests = '**/*.browser.test.tsx'

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        // Node's own conditions: graphql would otherwise be loaded twice (its development build beside the one that Pothos has).
        ssr: { resolve: { conditions: ['node', 'module-sync', 'import', 'default'] } },
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts'],
          include: ['{domain,platform,features,apps,testing,tools,scenarios}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.faults.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react({ compiler: true })],
        test: {
          name: 'browser',
          include: [`{ui,features,apps}/${browserTests}`],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
                args: [
                  '--no-sandbox',
                  '--disable-gpu',
                  '--disable-background-networking',
                  '--disable-component-update',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts'],
          include: ['e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'faults',
          environment: 'node',
          globalSetup: ['./testing/postgres-global-setup.ts'],
          include: ['**/*.faults.test.ts'],
          exclude: ['**/node_modules/**'],
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
