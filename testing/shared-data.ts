import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The folder of real input files; undefined where it does not exist, and tests that need it are skipped. */
function sharedDataDir(): string | undefined {
  const places = [process.env.SHARED_DATA_DIR, path.join(root, '../shared/data'), path.join(root, '../../shared/data')]
  return places.find(place => place && fs.existsSync(path.join(place, 'README.md')))
}

/** A file of {@link sharedDataDir}; undefined when it does not exist. */
export function sharedDataFile(...names: string[]): string | undefined {
  const dir = sharedDataDir()
  const file = dir && path.join(dir, ...names)
  return file && fs.existsSync(file) ? file : undefined
}
