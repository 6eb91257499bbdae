import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '..')
const SOURCE = /\.[cm]?[jt]sx?$/
/** Made by `npm run generate` and `npm run build`; neither reviewed nor checked. */
const GENERATED = /\.gen\.ts$/
const NOT_OURS = new Set(['node_modules', '.git', 'dist'])
const NOT_OURS_AT_THE_ROOT = new Set(['data', 'coverage', 'test-results', '.tsbuild'])

/** Files that belong to the repository: tracked, or new and not ignored. Paths are from the root. */
export function repositoryFiles(root = ROOT): string[] {
  // In containers a checkout often belongs to another user, and git would refuse to read it.
  const command = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', command, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const files = [...new Set(listed.split('\0'))].filter(file => file && fs.existsSync(path.join(root, file)))
  return files.sort()
}

export const isSource = (file: string) => SOURCE.test(file) && !GENERATED.test(file)

/** The sources found on disk, so that a wrong line in .gitignore cannot hide a module from the checks. */
export function sourcesOnDisk(root = ROOT): string[] {
  const found: string[] = []
  const walk = (folder: string) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const file = folder ? `${folder}/${entry.name}` : entry.name
      if (entry.isDirectory()) {
        if (!NOT_OURS.has(entry.name) && !(folder === '' && NOT_OURS_AT_THE_ROOT.has(entry.name))) walk(file)
      } else if (isSource(file)) found.push(file)
    }
  }
  walk('')
  return found.sort()
}
