import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'

/**
 * Starts ClickHouse and ZooKeeper of Debian (18.16), if installed: two shards of two replicas on loopback. Too old for
 * report queries, but tables, replication, quorum inserts and sums behave as in current servers.
 */
const SERVER = '/usr/sbin/clickhouse-server'
const JARS = '/usr/share/java'
const ZOOKEEPER_JARS = [
  ...['zookeeper', 'zookeeper-jute', 'slf4j-api', 'slf4j-simple', 'netty-all', 'snappy-java', 'metrics-core'],
  ...['netty-handler', 'netty-transport', 'netty-common', 'netty-buffer', 'netty-codec', 'netty-resolver', 'log4j-1.2'],
].map(name => path.join(JARS, `${name}.jar`))

export const hasReplicatedServers = (): boolean => fs.existsSync(SERVER) && fs.existsSync(ZOOKEEPER_JARS[0]!)

export const REPLICATED_CLUSTER = { name: 'four', shards: 2, replicas: 2 }

export interface ReplicatedServer {
  readonly shard: number
  readonly replica: number
  /** Runs a statement and returns its text. @throws with the server's message */
  ask(text: string, settings?: Readonly<Record<string, string | number>>): Promise<string>
  start(): Promise<void>
  kill(): Promise<void>
}

export interface ReplicatedServers {
  readonly servers: readonly ReplicatedServer[]
  readonly keeper: { start(): Promise<void>; kill(): Promise<void> }
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const PAUSE_MS = 200
/** Polls until it holds; the test's own time limit applies. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
}

function keptProcess(command: string, args: readonly string[], cwd: string, isReady: () => Promise<boolean>) {
  let child: ChildProcess | undefined
  return {
    async start() {
      child = spawn(command, args, { cwd, stdio: 'ignore' })
      await until(isReady)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

export async function startReplicatedServers(): Promise<ReplicatedServers> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'replicated-servers-'))
  const keeperPort = await freePort()
  fs.writeFileSync(
    path.join(folder, 'zoo.cfg'),
    `tickTime=500\ndataDir=${folder}/zookeeper\nclientPort=${keeperPort}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n`,
  )
  const classPath = ZOOKEEPER_JARS.filter(jar => fs.existsSync(jar)).join(':')
  const zookeeper = ['-Xmx128m', '-cp', classPath, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', 'zoo.cfg']
  const keeper = keptProcess('java', zookeeper, folder, async () => {
    const socket = net.connect(keeperPort, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    return true
  })
  const places = [1, 2].flatMap(shard => [1, 2].map(replica => ({ shard, replica })))
  const ports = await Promise.all(places.map(() => Promise.all([freePort(), freePort(), freePort()])))
  const shardXml = (of: number) =>
    `<shard><internal_replication>true</internal_replication>${places
      .map(({ shard }, index) =>
        shard === of ? `<replica><host>127.0.0.1</host><port>${ports[index]![1]}</port></replica>` : '',
      )
      .join('')}</shard>`
  const servers = places.map(({ shard, replica }, index): ReplicatedServer => {
    const [http, tcp, interserver] = ports[index]!
    const own = path.join(folder, `${shard}-${replica}`)
    fs.mkdirSync(own)
    fs.writeFileSync(
      path.join(own, 'users.xml'),
      `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password/><profile>default</profile>
        <quota>default</quota><networks><ip>127.0.0.1</ip></networks></default></users></yandex>`,
    )
    fs.writeFileSync(
      path.join(own, 'config.xml'),
      `<yandex><logger><level>error</level><log>${own}/log</log><errorlog>${own}/errors</errorlog></logger>
        <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${interserver}</interserver_http_port>
        <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host><path>${own}/data/</path>
        <tmp_path>${own}/tmp/</tmp_path><users_config>${own}/users.xml</users_config><default_profile>default</default_profile>
        <default_database>default</default_database><mark_cache_size>1000000</mark_cache_size>
        <remote_servers><four>${shardXml(1)}${shardXml(2)}</four></remote_servers>
        <zookeeper><node><host>127.0.0.1</host><port>${keeperPort}</port></node><session_timeout_ms>3000</session_timeout_ms></zookeeper>
        <macros><shard>${shard}</shard><replica>${replica}</replica></macros>
        <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl></yandex>`,
    )
    async function ask(text: string, settings: Readonly<Record<string, string | number>> = {}): Promise<string> {
      const given = new URLSearchParams(
        Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const answer = await fetch(`http://127.0.0.1:${http}/?${given}`, { method: 'POST', body: text })
      const said = await answer.text()
      if (!answer.ok) throw new Error(said)
      return said.trim()
    }
    const args = [`--config-file=${own}/config.xml`]
    const kept = keptProcess(SERVER, args, own, async () => (await ask('select 1')) === '1')
    return { shard, replica, ask, ...kept }
  })
  await keeper.start()
  await Promise.all(servers.map(server => server.start()))
  return {
    servers,
    keeper,
    async stop() {
      await Promise.all(servers.map(server => server.kill()))
      await keeper.kill()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
