/** Milliseconds of processor time that this process has used since. Other processes make them hardly longer. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
