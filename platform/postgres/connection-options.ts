/**
 * The address alone says where and how to connect. node-postgres also reads PGHOST, PGPORT, PGSSLMODE, PGOPTIONS and others,
 * for each connection, and has no option against it: they are removed from this process.
 */
export function connectionOptions(url: string): { connectionString: string } {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z_]+$/.test(name)) delete process.env[name]
  return { connectionString: url }
}
