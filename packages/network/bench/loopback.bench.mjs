/**
 * Round trip of one vote between two processes on loopback, one at a time: plain TCP, TLS 1.3 alone, and the whole transport with
 * frames, encoding and decoding. Prints one JSON line per case.
 *
 *   npm run bench:network [-- --rounds 10000]
 */
import { fork, execFileSync } from 'node:child_process';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { cpus } from 'node:os';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { encodeVote } from '@prime/codec';
import { cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { utf8ToBytes } from '@prime/primitives';
import { benchArguments } from '@prime/testkit/arguments';
import { createNetwork, generateTlsIdentity } from '../dist/index.js';

const chain = { chainId: 1, genesisHash: `0x${'ab'.repeat(32)}`, protocolVersion: 1 };
const vote = {
  kind: 'vote',
  vote: {
    type: 'prevote',
    height: 1_000_000,
    round: 0,
    blockHash: `0x${'cd'.repeat(32)}`,
    validator: `0x${'01'.repeat(20)}`,
    signature: new Uint8Array(65).fill(7),
  },
};
const bytes = Buffer.from(encodeVote(vote.vote));

const silent = { debug() {}, info() {}, warn() {} };
const clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};

/** A follower whose key is made from its name. */
async function follower(name, tls, peers, events) {
  const provider = await cryptoProvider();
  const key = keccak256(utf8ToBytes(name));
  const address = publicKeyToAddress(provider.publicKey(key));
  const network = createNetwork(
    {
      ...chain,
      listen: { host: '127.0.0.1', port: 0 },
      advertise: null,
      tls,
      identity: { address, role: 'full', signer: address, sign: (digest) => provider.sign(digest, key) },
      peers,
      signerOf: () => null,
      provider,
      headHeight: () => 0,
      clock,
      random: Math.random,
      log: silent,
      // One vote at a time is far below any rate; the bench asks more often than a chain would.
      limits: {
        rates: Object.fromEntries(
          ['control', 'consensus', 'bodies', 'transactions', 'sync'].map((channel) => [
            channel,
            { framesPerSecond: 1e7, bytesPerSecond: 1e10 },
          ]),
        ),
      },
    },
    { onPeerConnected() {}, onPeerDisconnected() {}, ...events },
  );
  return { network, address, endpoint: await network.start() };
}

const echo = (socket) => {
  socket.setNoDelay(true);
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('error', () => {});
};

async function serve() {
  const tls = await generateTlsIdentity();
  const options = { cert: tls.certificatePem, key: tls.privateKeyPem, minVersion: 'TLSv1.3' };
  const plain = createTcpServer(echo).listen(0, '127.0.0.1');
  const secure = createTlsServer(options, echo).listen(0, '127.0.0.1');
  const { network, address, endpoint } = await follower('server', tls, [], {
    onMessage: (from, message) => network.send(from, message),
  });
  process.once('disconnect', () => process.exit());
  process.send({
    tcp: plain.address().port,
    tls: secure.address().port,
    listed: { ...endpoint, address, spki: tls.spki },
  });
}

function currentCommit() {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
const commit = process.argv[2] === 'serve' ? '' : currentCommit();

/** Times `rounds` calls of `ping`, each resolved by its answer. */
async function measure(name, rounds, ping) {
  for (let index = 0; index < rounds / 4; index++) await ping();
  const samples = new Float64Array(rounds);
  for (let index = 0; index < rounds; index++) {
    const start = performance.now();
    await ping();
    samples[index] = (performance.now() - start) * 1_000;
  }
  samples.sort();
  const at = (share) => Math.round(samples[Math.floor(rounds * share)] * 10) / 10;
  const machine = `${cpus().length} x ${cpus()[0].model}`;
  console.log(JSON.stringify({ name, unit: 'us', median: at(0.5), p99: at(0.99), runs: rounds, machine, commit }));
}

function pingOver(socket) {
  let received = 0;
  let answered;
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received < bytes.length) return;
    received = 0;
    answered();
  });
  return () =>
    new Promise((resolve) => {
      answered = resolve;
      socket.write(bytes);
    });
}

async function run(rounds) {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const ports = await new Promise((resolve) => child.once('message', resolve));

  const plain = connectTcp(ports.tcp, '127.0.0.1');
  await new Promise((resolve) => plain.once('connect', resolve));
  await measure('vote round trip, TCP', rounds, pingOver(plain));

  const secure = connectTls({ port: ports.tls, host: '127.0.0.1', rejectUnauthorized: false });
  await new Promise((resolve) => secure.once('secureConnect', resolve));
  await measure('vote round trip, TLS 1.3', rounds, pingOver(secure));

  let answered;
  let connected;
  const ready = new Promise((resolve) => {
    connected = resolve;
  });
  const { network } = await follower('client', await generateTlsIdentity(), [ports.listed], {
    onPeerConnected: () => connected(),
    onMessage: () => answered(),
  });
  await ready;
  const ping = () =>
    new Promise((resolve) => {
      answered = resolve;
      network.send(ports.listed.address, vote);
    });
  await measure('vote round trip, @prime/network', rounds, ping);
  plain.destroy();
  secure.destroy();
  await network.close();
  child.kill();
}

if (process.argv[2] === 'serve') await serve();
else
  await run(
    benchArguments('bench:network', { rounds: { meaning: 'votes there and back', usual: 10_000, least: 4 } }).rounds,
  );
