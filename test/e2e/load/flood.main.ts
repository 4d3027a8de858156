import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';

/**
 * Asks nodes as fast as they answer, on many connections, in a process of its own: `flood.main.js SECONDS CONNECTIONS URL…`. Prints
 * what came back as one line of JSON. It stands for other machines, so it leaves the processors to the nodes.
 */
export interface FloodReport {
  /** Answers by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Errors by JSON-RPC code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly results: number;
  /** Connections that ended before their answer. */
  readonly dropped: number;
  /** Answers that are not JSON, or refused for load without Retry-After. */
  readonly malformed: number;
}

const call = (id: number, method: string, params: readonly unknown[]): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const someone = '0x00000000000000000000000000000000000000aa';
const dev = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** JUMPDEST PUSH0 JUMP: runs until its gas or its time is over. */
const endless = { data: '0x5b5f56', gas: '0x2faf080' };

/** What is answered from memory. */
const light: readonly string[] = [
  call(1, 'eth_blockNumber', []),
  call(2, 'eth_getBlockByNumber', ['latest', false]),
  Array.from({ length: 100 }, (_, id) => call(id, 'eth_getBlockByNumber', ['latest', true])),
  call(3, 'eth_getTransactionCount', [dev, 'pending']),
  call(4, 'eth_getBlockByNumber', ['pending', true]),
  call(5, 'prime_validators', []),
].map((body) => JSON.stringify(body));

/** Reads from disk, endless calls, long scans, writes that fail, and what is no request. */
const heavy: readonly string[] = [
  call(11, 'eth_call', [endless, 'latest']),
  call(12, 'eth_getBalance', [someone, '0x1']),
  call(13, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]),
  call(14, 'txpool_content', []),
  call(15, 'eth_estimateGas', [endless]),
  call(16, 'eth_sendRawTransaction', [`0x02f8${'ff'.repeat(200)}`]),
  call(17, 'eth_feeHistory', ['0x400', 'latest', [10, 50, 90]]),
  Array.from({ length: 20 }, (_, id) => call(id, 'eth_call', [endless, 'latest'])),
]
  .map((body) => JSON.stringify(body))
  .concat([`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${'['.repeat(30_000)}`]);

const request = (body: string): Buffer =>
  Buffer.from(
    `POST / HTTP/1.1\r\nHost: flood\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
/** Every other connection sticks to light requests: those that wait for heavy ones ask little. */
const requests = [light, heavy].map((bodies) => bodies.map(request));

const counts = {
  statuses: {} as Record<string, number>,
  codes: {} as Record<string, number>,
  results: 0,
  dropped: 0,
  malformed: 0,
};
const bump = (table: Record<string, number>, key: string | number): void => {
  table[key] = (table[key] ?? 0) + 1;
};

/** The next whole answer on a connection; null when it ends before. */
async function readAnswer(socket: Socket): Promise<{ head: string; body: string } | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  let bodyStart = -1;
  let length = 0;
  for await (const [chunk] of events(socket)) {
    if (chunk === null) return null;
    chunks.push(chunk);
    size += chunk.length;
    if (bodyStart < 0) {
      const text = Buffer.concat(chunks).toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) continue;
      bodyStart = end + 4;
      length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    }
    if (size < bodyStart + length) continue;
    const all = Buffer.concat(chunks);
    return { head: all.toString('latin1', 0, bodyStart), body: all.toString('utf8', bodyStart) };
  }
  return null;
}

async function* events(socket: Socket): AsyncGenerator<[Buffer | null]> {
  while (!socket.destroyed) {
    const gone = new AbortController();
    const chunk = await Promise.race([
      once(socket, 'data', { signal: gone.signal }).then(([data]) => data as Buffer),
      once(socket, 'close', { signal: gone.signal }).then(() => null),
    ]).catch(() => null);
    gone.abort();
    yield [chunk];
    if (chunk === null) return;
  }
}

function tally({ head, body }: { head: string; body: string }): void {
  const status = head.split(' ', 2)[1] ?? '';
  bump(counts.statuses, status);
  if ((status === '503' || status === '429') && !/retry-after: \d/i.test(head)) counts.malformed++;
  try {
    for (const answer of [JSON.parse(body) as { error?: { code: number } }].flat())
      if (answer.error === undefined) counts.results++;
      else bump(counts.codes, answer.error.code);
  } catch {
    counts.malformed++;
  }
}

async function ask(url: string, first: number, until: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const own = requests[first % 2]!;
  let index = first;
  while (Date.now() < until) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    const late = setTimeout(() => socket.destroy(), Math.max(0, until - Date.now()));
    while (Date.now() < until && !socket.destroyed) {
      socket.write(own[index++ % own.length]!);
      const answer = await readAnswer(socket);
      if (answer !== null) tally(answer);
      else if (Date.now() < until) counts.dropped++;
    }
    clearTimeout(late);
    socket.destroy();
  }
}

const [seconds = '1', connections = '8', ...urls] = process.argv.slice(2);
setPriority(0, 10);
const until = Date.now() + Number(seconds) * 1_000;
await Promise.all(
  urls.flatMap((url) => Array.from({ length: Number(connections) }, (_, index) => ask(url, index, until))),
);
process.stdout.write(`${JSON.stringify(counts satisfies FloodReport)}\n`);
process.exit(0);
