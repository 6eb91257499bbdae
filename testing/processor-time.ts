/** Milliseconds of processor time that this process has used since `since`; hardly affected by other processes. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
