import { endpointOf, HttpChannel, requestWriter, SocketChannel } from '@prime/load';
import { benchArguments } from '@prime/testkit/arguments';
import { measureSigned } from './generatorBench/signedActions.ts';
import { machineWords, median, printJson } from './figures.ts';
import { withServer } from './ownServer.ts';

/**
 * How many requests a second one core of a load generator sends and hears the answers of, so that it is not what is measured: this process against a
 * bare server of uWebSockets.js, which has a core of its own. A closed loop, with so many requests under way on each connection.
 *
 *   npm run bench:generator -- [--rounds 5] [--seconds 2.5] [--connections 16] [--depths 1,16,64] [--signed 25000]
 *
 * Behind that, signed actions in an open loop, as a worker of `prime load` sends them: signed ahead, so many a second as `--signed` says.
 *
 * `generator %` is the share of a core that this process used. Where it is below 100 the server was the bound.
 */
const options = benchArguments('bench:generator', {
  rounds: { meaning: 'rounds of each depth, in turn', usual: 5 },
  seconds: { meaning: 'length of a round', usual: 2.5 },
  connections: { meaning: 'connections', usual: 16 },
  depths: { meaning: 'requests under way on a connection', usual: [1, 16, 64] },
  signed: { meaning: 'signed actions a second in the open loop', usual: 25_000 },
});
/** Requests a second, with the deepest pipeline. */
const goal = 100_000;
/** Signed actions a second. */
const signedGoal = 20_000;
const signedSeconds = 4;

interface Sample {
  readonly perSecond: number;
  readonly generatorShare: number;
}

/** A connection of either kind, as the loop sees it. */
interface Connection {
  readonly unanswered: number;
  send(id: number, body: string, onReply: () => void): void;
  close(): void;
}
type Connect = (port: number, onLost: (error: Error) => void) => Promise<Connection>;

const transports: Readonly<Record<string, Connect>> = {
  HTTP: async (port, onLost) => {
    const endpoint = endpointOf(`http://127.0.0.1:${port}`);
    const write = requestWriter(endpoint);
    const channel = new HttpChannel({ endpoint, onLost });
    return {
      get unanswered() {
        return channel.unanswered;
      },
      send: (_id, body, onReply) =>
        channel.send(write(body), (status) => {
          if (status === 200) onReply();
          else onLost(new Error(`the bare server answered ${status}`));
        }),
      close: () => channel.close(),
    };
  },
  WebSocket: (port, onLost) => SocketChannel.open({ url: `ws://127.0.0.1:${port}`, onLost }),
};

/** Requests of one length. */
const [firstId, idCount] = [1_000_000, 9_000_000];

/** @throws LoadError when the server ends a connection; Error for an answer that is none */
async function measure(connect: Connect, port: number, depth: number): Promise<Sample> {
  const lost: { tell: (error: Error) => void } = { tell: () => undefined };
  const opened = Array.from({ length: options.connections }, () => connect(port, (error) => lost.tell(error)));
  const connections = await Promise.all(opened);
  const started = performance.now();
  const processorStart = process.cpuUsage();
  const end = started + options.seconds * 1000;
  let [sent, answered, open] = [0, 0, connections.length];
  await new Promise<void>((resolve, reject) => {
    lost.tell = reject;
    for (const connection of connections) {
      const next = (): void => {
        const id = firstId + (sent++ % idCount);
        connection.send(id, `{"jsonrpc":"2.0","id":${id},"method":"eth_blockNumber","params":[]}`, onReply);
      };
      const onReply = (): void => {
        answered++;
        if (performance.now() < end) return next();
        // What is under way is waited for.
        if (connection.unanswered > 0) return;
        connection.close();
        if (--open === 0) resolve();
      };
      for (let under = 0; under < depth; under++) next();
    }
  });
  const elapsedMs = performance.now() - started;
  const { user, system } = process.cpuUsage(processorStart);
  return { perSecond: (answered * 1000) / elapsedMs, generatorShare: (user + system) / 1000 / elapsedMs };
}

async function compare(port: number): Promise<void> {
  const contenders = Object.entries(transports).flatMap(([transport, connect]) =>
    options.depths.map((depth) => ({ transport, connect, depth, samples: [] as Sample[] })),
  );
  // The first round is not counted.
  for (let round = 0; round <= options.rounds; round++)
    for (const { connect, depth, samples } of contenders) {
      const sample = await measure(connect, port, depth);
      if (round > 0) samples.push(sample);
    }
  const rows = contenders.map(({ transport, depth, samples }) => ({
    transport,
    'under way': depth,
    'requests/s': Math.round(median(samples.map(({ perSecond }) => perSecond))),
    'generator %': Math.round(100 * median(samples.map(({ generatorShare }) => generatorShare))),
  }));
  console.table(rows);
  for (const transport of Object.keys(transports)) {
    const most = Math.max(...rows.filter((row) => row.transport === transport).map((row) => row['requests/s']));
    console.log(`${transport}: at most ${most} requests/s (goal ${goal}: ${most >= goal ? 'met' : 'NOT MET'})`);
  }
  printJson({ name: 'load generator', rows });
}

await withServer(new URL('./generatorBench/bareServer.worker.js', import.meta.url), [], async (port) => {
  console.log(
    `one core of generator against a bare server, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s, medians — ` +
      machineWords(),
  );
  await compare(port);
  const sample = await measureSigned(`http://127.0.0.1:${port}`, options.signed, signedSeconds);
  console.table([sample]);
  const met = sample.perSecond >= signedGoal;
  const late = (sample.lateShare * 100).toFixed(1);
  console.log(
    `signed actions: ${Math.round(sample.perSecond)}/s, ${late} % late (goal ${signedGoal}: ${met ? 'met' : 'NOT MET'})`,
  );
  console.log(JSON.stringify({ name: 'signed actions', ...sample }));
});
