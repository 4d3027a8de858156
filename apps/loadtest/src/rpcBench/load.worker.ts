import { createHistogram } from 'node:perf_hooks';
import { endpointOf, HttpChannel, requestWriter } from '@prime/load';
import type { LoadOrder, LoadResult } from './load.ts';

/**
 * The load generator, a process of its own: sends one order's requests over its connections until the time is over and reports.
 * Every answer must be a result; one of {@link checkedEvery} is parsed and compared with what is expected.
 */
const checkedEvery = 64;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Ids with as many digits each, so that requests of a kind have one length. */
const firstId = 1_000_000;
const idCount = 9_000_000;

function run(order: LoadOrder): Promise<LoadResult> {
  const { port, connections, durationMs, requests, firstSerial } = order;
  const latency = createHistogram();
  let sent = 0;
  let answered = 0;
  const started = performance.now();
  const processorStart = process.cpuUsage();
  const end = started + durationMs;
  const endpoint = endpointOf(`http://127.0.0.1:${port}`);
  const write = requestWriter(endpoint);

  return new Promise((resolve, reject) => {
    let open = connections;
    const finish = (): void => {
      const elapsedMs = performance.now() - started;
      const { user, system } = process.cpuUsage(processorStart);
      resolve({
        answered,
        elapsedMs,
        p99Ms: latency.percentile(99) / 1e6,
        processorMicros: user + system,
      });
    };
    // One request at a time over each: a server may close a connection on which another one follows.
    const begin = (channel: HttpChannel): void => {
      let [begun, serial] = [0, 0];
      const next = (): void => {
        serial = sent++;
        const { pieces } = requests[serial % requests.length]!;
        const body = bodyOf(pieces, firstId + (serial % idCount), firstSerial + serial);
        begun = performance.now();
        channel.send(write(body), onReply);
      };
      const onReply = (status: number, body: Buffer): void => {
        const now = performance.now();
        latency.record(Math.max(1, Math.round((now - begun) * 1e6)));
        const request = requests[serial % requests.length]!;
        const isThorough = answered % checkedEvery === 0;
        const problem = status !== 200 ? `${status}` : isThorough ? thorough(body, request, serial) : quick(body);
        if (problem !== null) return reject(new Error(`${request.pieces.join('…')} answered ${problem}`));
        answered++;
        if (now < end) return next();
        channel.close();
        open--;
        if (open === 0) finish();
      };
      next();
    };
    for (let index = 0; index < connections; index++) begin(new HttpChannel({ endpoint, onLost: reject }));
  });
}

/** `pieces` are joined by the id and, where there is a third one, by a 40-digit serial number. */
const bodyOf = (pieces: readonly string[], id: number, serial: number): string =>
  pieces.length === 1
    ? pieces[0]!
    : pieces.length === 2
      ? `${pieces[0]}${id}${pieces[1]}`
      : `${pieces[0]}${id}${pieces[1]}${serial.toString(16).padStart(40, '0')}${pieces[2]}`;

const errorMark = Buffer.from('"error"');
const quick = (body: Buffer): string | null =>
  body.subarray(0, 200).includes(errorMark) || body.length < 20 ? body.toString('utf8', 0, 500) : null;

function thorough(body: Buffer, request: LoadOrder['requests'][number], serial: number): string | null {
  const text = body.toString('utf8');
  const parsed = JSON.parse(text) as Answer | readonly Answer[];
  const answers = Array.isArray(parsed) ? (parsed as readonly Answer[]) : [parsed as Answer];
  if (answers.length !== request.answers) return text.slice(0, 500);
  if (answers.length === 1 && answers[0]!.id !== firstId + (serial % idCount)) return `with another id: ${text}`;
  for (const { result, error } of answers)
    if (error !== undefined || result === undefined || result === null) return text.slice(0, 500);
  const [{ result } = { result: null }] = answers;
  const { expected } = request;
  if (expected === null) return null;
  const right = Array.isArray(result) ? result.length === Number(expected) : result === expected;
  return right ? null : `${text.slice(0, 500)}, expected ${expected}`;
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ error: String(error) }),
  );
});
