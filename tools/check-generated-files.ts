/**
 * Files that are generated and reviewed: what the code would generate now must be what is committed.
 * Every other generated file is made anew by `npm run generate` and not committed.
 */
export const GENERATED_FILES: readonly {
  readonly name: string
  readonly run: () => Promise<{ problems: readonly string[] }>
}[] = []
