import path from 'node:path'
import { runTool } from './run-command.ts'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

const PROJECTS = ['tsconfig.pure.json', 'tsconfig.server.json', 'tsconfig.web.json']

/** Results by project; each project is compiled once. */
const compiled = new Map<string, Promise<{ files: string[]; complaint: string; ok: boolean }>>()

async function compile(project: string) {
  const { ok, output } = await runTool('tsc', '-p', project, '--pretty', 'false', '--listFiles')
  const lines = output.split('\n')
  const isFile = (line: string) => path.isAbsolute(line.trim())
  const complaint = lines.filter(line => !isFile(line)).join('\n')
  return { ok, files: lines.filter(isFile), complaint: complaint.trim() }
}

function compiledOnce(project: string) {
  const found = compiled.get(project) ?? compile(project)
  compiled.set(project, found)
  return found
}

export async function checkTypes(project: string): Promise<{ problems: string[] }> {
  const { ok, complaint } = await compiledOnce(project)
  if (ok) return { problems: [] }
  // "No inputs were found" is no problem: the coverage check below finds files that no project includes.
  if (/^error TS18003: /.test(complaint) && !complaint.includes('\n')) return { problems: [] }
  return { problems: [complaint] }
}

/** Every TypeScript file must belong to a project; otherwise it would never be checked. */
export async function checkCoverageOfTypes(): Promise<{ problems: string[]; note: string }> {
  const checked = new Set<string>()
  for (const project of PROJECTS) {
    const { files } = await compiledOnce(project)
    for (const file of files) checked.add(path.relative(ROOT, file.trim()))
  }
  const files = repositoryFiles().filter(file => isSource(file) && /\.[cm]?tsx?$/.test(file))
  const missed = files.filter(file => !checked.has(path.normalize(file)))
  return {
    problems: missed.map(file => `${file} is in no tsconfig: add its folder to one of ${PROJECTS.join(', ')}`),
    note: `${files.length} modules`,
  }
}
