/**
 * Connection options from the URL alone. node-postgres also reads PGHOST, PGPORT, PGSSLMODE and other variables and has
 * no option to turn that off, so they are deleted from this process's environment.
 */
export function connectionOptions(url: string): { connectionString: string } {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z_]+$/.test(name)) delete process.env[name]
  return { connectionString: url }
}
