export declare const START_DEFAULTS: {
  readonly HOST: string
  readonly PORT: number
  readonly INSIGHT_API_PORT: number
  readonly IAM_API_PORT: number
  readonly OPERATOR_HOST: string
  readonly DATA_DIR: string
}
export declare function checkStart(
  env: Readonly<Record<string, string | undefined>>,
  services: readonly string[],
): Promise<string | undefined>
export declare function folderProblem(setting: string | undefined, folder: string): string | undefined
export declare function checkoutProblem(root: string): string | undefined
export declare function reasonOf(error: NodeJS.ErrnoException): string
