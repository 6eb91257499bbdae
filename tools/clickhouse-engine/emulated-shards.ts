/**
 * Emulates a cluster of shards in the single process of chDB, for tests. Reading is real: ClickHouse plans over a
 * Distributed table or `cluster()`, computes partial results for each shard and merges them. Keeper, replicas and
 * network are missing: the rows of all shards are in one table, and each shard sees its own part.
 */
export const CLUSTER = 'shards_of_one_process'

/** Two names of this process, which ClickHouse treats as shards without a network connection. */
const HOSTS = ['127.0.0.1', 'localhost']

const shard = (host: string) =>
  `<shard><internal_replication>true</internal_replication><replica><host>${host}</host><port>9000</port></replica></shard>`

/** chDB reads `config.xml` of the working directory. */
export const CONFIG = `<clickhouse><tcp_port>9000</tcp_port>
  <remote_servers><${CLUSTER}>${HOSTS.map(shard).join('')}</${CLUSTER}></remote_servers>
  <macros><shard>1</shard><replica>1</replica></macros></clickhouse>`

const DISTRIBUTED = /create table if not exists (\S+).*engine = Distributed\('\w+', '(\w+)', '(\w+)', (.*?)\)\s*$/s

/** Shard expression (from 0) of each sharded table, by the names of the table and of its row table. */
const places = new Map<string, { readonly rows: string; readonly place: string }>()

export function forShards(text: string): string {
  const made = DISTRIBUTED.exec(text)
  if (made) {
    const table = made[1]!
    const rows = `${made[2]}.${made[3]}`
    places.set(table, { rows, place: made[4]! })
    places.set(rows, { rows, place: made[4]! })
  }
  return text
    .replaceAll(` on cluster '${CLUSTER}'`, '')
    .replaceAll(/engine = Replicated(\w*MergeTree)\([^)]*\)/g, 'engine = $1')
    .replaceAll(`clusterAllReplicas('${CLUSTER}', system.zookeeper)`, "(select '/' as path)")
    .replaceAll(/\bfrom (\w+\.\w+)(?![\w.])/g, (whole, name: string) => {
      const sharded = places.get(name)
      if (!sharded) return whole
      const own = `select * from ${sharded.rows} where ${sharded.place} + 1 = shardNum()`
      return name === sharded.rows ? `from (${own})` : `from cluster('${CLUSTER}', view(${own}), ${sharded.place})`
    })
}
