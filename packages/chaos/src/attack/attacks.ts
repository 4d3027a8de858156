/** What attackers do: one attempt each, made again and again. The promises are those of rows 19 to 24 of the fault matrix. */
import type { Socket } from 'node:net';
import { helloFrame, messageFrames } from '@prime/network';
import type { PeerMessage } from '@prime/engine';
import { type Address, bytesToHash, concatBytes, type Height, type Round } from '@prime/primitives';
import type { AttackKind } from '../schedule/faults.ts';
import type { Attacker } from './attacker.ts';

type Attempt = (attacker: Attacker) => Promise<void>;

/** The one attempt that each kind of attack repeats. */
export const attemptOf: Readonly<Record<AttackKind, Attempt>> = {
  garbage,
  stall,
  connections,
  identity,
  replay,
  oversize,
  frames,
  votes,
  requests,
};

/** Bytes that are no TLS, some of which begin like it, and bytes inside of TLS that are no frames. */
async function garbage(attacker: Attacker): Promise<void> {
  const bytes = attacker.bytes(1 + attacker.prng.below(4_000));
  if (attacker.prng.chance(1, 3)) bytes.set([22, 3, 1, 2, 0].slice(0, bytes.length));
  const socket = attacker.prng.chance(1, 2) ? await attacker.tcp() : await attacker.tls();
  socket?.end(bytes);
}

/** Slow-loris: connections that say nothing, or a byte a second, or take nothing of what they asked for. */
async function stall(attacker: Attacker): Promise<void> {
  switch (attacker.prng.below(4)) {
    case 0:
      await attacker.tcp();
      return;
    case 1: {
      // The head of a ClientHello that does not come.
      const socket = await attacker.tcp();
      if (socket !== null) dribble(socket, Uint8Array.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]));
      return;
    }
    case 2: {
      const socket = await attacker.tls();
      if (socket !== null) dribble(socket, helloFrame(socket, attacker.greeting()));
      return;
    }
    default: {
      const socket = await attacker.follower();
      socket?.pause();
      for (let count = 0; count < 50; count++) socket?.write(concatBytes(...blocksRequest(attacker, count)));
    }
  }
}

/** One byte a second until there are no more. */
function dribble(socket: Socket, bytes: Uint8Array): void {
  let next = 0;
  const timer = setInterval(() => {
    if (next < bytes.length) socket.write(bytes.subarray(next, ++next));
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}

/** As many connections as there are, from one address; most are dropped at once. */
async function connections(attacker: Attacker): Promise<void> {
  const socket = attacker.prng.chance(1, 2) ? await attacker.tcp() : await attacker.follower();
  if (attacker.prng.chance(3, 4)) socket?.destroy();
}

/** Names of others: of a validator, of the target itself. The signature is by a key that is not theirs. */
async function identity(attacker: Attacker): Promise<void> {
  const socket = await attacker.tls();
  if (socket === null) return;
  const { validators, address } = attacker.target;
  const claimed = attacker.oneOf([...validators, address]);
  const role = attacker.oneOf(['validator', 'full', 'archive'] as const);
  socket.write(helloFrame(socket, attacker.greeting({ address: claimed, role })));
}

/** A Hello of another connection, and those of another chain, genesis or version. */
async function replay(attacker: Attacker): Promise<void> {
  const [first, second] = [await attacker.tls(), await attacker.tls()];
  // The first may have been closed while the second was opened.
  if (first === null || second === null || first.destroyed) return;
  const { chainId } = attacker.target;
  const claims = attacker.oneOf([
    {},
    { chainId: chainId + 1 },
    { genesisHash: bytesToHash(attacker.bytes(32)) },
    { protocolVersion: 1_000_000 },
  ]);
  const hello = helloFrame(first, attacker.greeting(claims));
  first.write(hello);
  second.write(hello);
}

/** Lengths that nobody should take memory for, before and after the Hello, with few bytes behind them. */
async function oversize(attacker: Attacker): Promise<void> {
  const socket = attacker.prng.chance(1, 2) ? await attacker.tls() : await attacker.follower();
  if (socket === null) return;
  const head = new Uint8Array(6);
  const length = attacker.oneOf([0xffffffff, 0x7fffffff, 0x10000000, (2 << 20) + 3, 1_000_000]);
  new DataView(head.buffer).setUint32(0, length);
  head[4] = attacker.prng.below(6);
  head[5] = attacker.prng.below(9);
  socket.write(head);
  socket.write(attacker.bytes(1_000));
}

/** Well-formed messages with a few bits changed, lists in lists in lists, unknown kinds. */
async function frames(attacker: Attacker): Promise<void> {
  const socket = await attacker.follower();
  if (socket === null) return;
  const bytes = concatBytes(...attacker.oneOf([badVote, badCertificate, fakeStatus, evidenceOfNothing])(attacker));
  switch (attacker.prng.below(3)) {
    case 0:
      for (let count = 0; count < 3; count++) bytes[attacker.prng.below(bytes.length)]! ^= 1 << attacker.prng.below(8);
      socket.write(bytes);
      return;
    case 1:
      socket.write(frame(attacker.prng.below(6), attacker.prng.below(12), nested(1_000)));
      return;
    default:
      socket.write(frame(attacker.prng.below(256), attacker.prng.below(256), attacker.bytes(200)));
  }
}

/** Votes of unknown validators, of known ones with signatures that are none, of heights and rounds to come, alone and in certificates. */
async function votes(attacker: Attacker): Promise<void> {
  const socket = await attacker.follower();
  for (let count = 0; count < 30; count++)
    socket?.write(concatBytes(...attacker.oneOf([badVote, badVote, badVote, badCertificate])(attacker)));
}

/** Everything that can be asked for, and a head that is not there. */
async function requests(attacker: Attacker): Promise<void> {
  const socket = await attacker.follower();
  if (socket === null) return;
  socket.write(concatBytes(...fakeStatus(attacker)));
  for (let id = 0; id < 20; id++) {
    const from = attacker.prng.below(attacker.target.head() + 10) as Height;
    const messages: readonly PeerMessage[] = [
      { kind: 'blocksRequest', requestId: id, from, count: 64 },
      { kind: 'headersRequest', requestId: id, from, count: 1_000 },
      { kind: 'snapshotsRequest', requestId: id },
      { kind: 'chunkRequest', requestId: id, snapshot: bytesToHash(attacker.bytes(32)), height: from, index: id },
      { kind: 'bodiesRequest', blockHash: bytesToHash(attacker.bytes(32)), hashes: [bytesToHash(attacker.bytes(32))] },
      { kind: 'transactions', raws: [attacker.bytes(300)] },
      { kind: 'actions', raws: [attacker.bytes(300)] },
    ];
    socket.write(concatBytes(...messageFrames(attacker.oneOf(messages))));
  }
}

function badVote(attacker: Attacker): Uint8Array[] {
  return messageFrames({ kind: 'vote', vote: vote(attacker) });
}

function badCertificate(attacker: Attacker): Uint8Array[] {
  return messageFrames({ kind: 'voteCertificate', votes: Array.from({ length: 50 }, () => vote(attacker)) });
}

function vote(attacker: Attacker) {
  const { prng, target } = attacker;
  const ahead = attacker.oneOf([0, 1, 1, 1, 2, 100, 1_000_000_000]);
  const known = prng.chance(1, 2);
  return {
    type: attacker.oneOf(['prevote', 'precommit'] as const),
    height: (target.head() + ahead) as Height,
    round: attacker.oneOf([0, 0, 1, 2, 3, 1_000, 0x7fffffff]) as Round,
    blockHash: prng.chance(1, 3) ? null : bytesToHash(attacker.bytes(32)),
    validator: known ? attacker.oneOf(target.validators) : (bytesToHash(attacker.bytes(32)).slice(0, 42) as Address),
    signature: attacker.bytes(65),
  };
}

function fakeStatus({ target, prng }: Attacker): Uint8Array[] {
  const head = (target.head() + 1 + prng.below(1_000_000)) as Height;
  return messageFrames({ kind: 'status', height: (head + 1) as Height, round: 0 as Round, head, base: 1 as Height });
}

const evidenceOfNothing = (): Uint8Array[] => messageFrames({ kind: 'evidence', evidence: [] });

function blocksRequest({ target, prng }: Attacker, requestId: number): Uint8Array[] {
  const from = (1 + prng.below(Math.max(1, target.head()))) as Height;
  return messageFrames({ kind: 'blocksRequest', requestId, from, count: 64 });
}

function frame(channel: number, type: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(6 + payload.length);
  new DataView(bytes.buffer).setUint32(0, 2 + payload.length);
  bytes[4] = channel;
  bytes[5] = type;
  bytes.set(payload, 6);
  return bytes;
}

/** RLP of a list in a list in a list: small, and deep. */
function nested(depth: number): Uint8Array {
  let bytes: Uint8Array = Uint8Array.of(0xc0);
  for (let level = 0; level < depth; level++) {
    const { length } = bytes;
    const head = length < 56 ? [0xc0 + length] : length < 256 ? [0xf8, length] : [0xf9, length >> 8, length & 0xff];
    bytes = Uint8Array.from([...head, ...bytes]);
  }
  return bytes;
}
