import path from 'node:path'
import { runTool } from './run-command.ts'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

const PROJECTS = ['tsconfig.pure.json', 'tsconfig.server.json', 'tsconfig.web.json']

export async function checkTypes(project: string): Promise<{ problems: string[] }> {
  const { ok, output } = await runTool('tsc', '-p', project, '--pretty', 'false')
  if (ok) return { problems: [] }
  // "No inputs were found" while a part of the tree is still empty: the coverage check decides whether that is right.
  if (/^error TS18003: /.test(output.trim()) && !output.trim().includes('\n')) return { problems: [] }
  return { problems: [output.trim()] }
}

/** Every TypeScript file must be looked at by some project: what no `include` names would never be checked. */
export async function checkCoverageOfTypes(): Promise<{ problems: string[]; note: string }> {
  const checked = new Set<string>()
  for (const project of PROJECTS) {
    const { output } = await runTool('tsc', '-p', project, '--listFilesOnly')
    for (const line of output.split('\n'))
      if (path.isAbsolute(line.trim())) checked.add(path.relative(ROOT, line.trim()))
  }
  const files = repositoryFiles().filter(file => isSource(file) && /\.[cm]?tsx?$/.test(file))
  const missed = files.filter(file => !checked.has(path.normalize(file)))
  return {
    problems: missed.map(file => `${file} is in no tsconfig: add its folder to one of ${PROJECTS.join(', ')}`),
    note: `${files.length} modules`,
  }
}
