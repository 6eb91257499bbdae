import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The folder of real input files, or undefined where there is none: tests that need it then skip. */
function sharedDataDir(): string | undefined {
  const places = [process.env.SHARED_DATA_DIR, path.join(root, '../shared/data'), path.join(root, '../../shared/data')]
  return places.find(place => place && fs.existsSync(path.join(place, 'README.md')))
}

/** A file of {@link sharedDataDir}, or undefined. */
export function sharedDataFile(...names: string[]): string | undefined {
  const dir = sharedDataDir()
  const file = dir && path.join(dir, ...names)
  return file && fs.existsSync(file) ? file : undefined
}
