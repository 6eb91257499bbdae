import { folderProblem } from './start-checks.mjs'

/** A folder cannot be used. The message is one sentence for the person at the terminal. */
export class FolderError extends Error {
  override name = 'FolderError'
}

/** @throws FolderError when files in the folder could not be created, or could not be read by its owner afterwards */
export function checkFolder(setting: string | undefined, folder: string): void {
  const problem = folderProblem(setting, folder)
  if (problem !== undefined) throw new FolderError(problem)
}
