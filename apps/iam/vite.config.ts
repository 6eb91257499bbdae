import path from 'node:path'
import { defineConfig } from 'vite'
import { frontEnd } from '../../tools/front-end-config.ts'

const here = (file: string) => path.resolve(import.meta.dirname, file)

export default defineConfig({
  ...frontEnd({
    root: import.meta.dirname,
    pages: ['index.html', 'silent-callback.html'],
    first: [here('people-administration.tsx'), here('../../features/users/web/users-view.tsx')],
  }),
  // Icon and colour scheme script are shared with the console.
  publicDir: here('../console/public'),
})
