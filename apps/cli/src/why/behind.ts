import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkNodes } from '@prime/sdk';
import { type BehindFacts, explainBehind, formatDuration, formatInteger } from '@prime/sdk/explain';
import type { Connection } from '../client/connect.ts';
import { validatorNamed } from './names.ts';
import type { Answer } from './tell.ts';

/** Blocks from which pace and signatures are told; one answer holds as many. */
const blocksSeen = 256;
/** Between the two looks that tell whether a node gets nearer, ms. */
const lookMs = 1_000;

/** Why the asked node is behind, or the validator that is named, as the asked node sees it. @throws CliError as {@link validatorNamed} */
export async function whyBehind(connection: Connection, named: string | undefined): Promise<Answer> {
  const { client } = connection;
  const [status, network, head] = await Promise.all([
    client.getConsensusStatus(),
    client.getNetwork(),
    client.getBlockNumber(),
  ]);
  const subject = named === undefined ? null : validatorNamed(network.validators, named);
  const first = head > BigInt(blocksSeen) ? head - BigInt(blocksSeen) + 1n : 1n;
  const commits = await client.getCommits({ from: first, count: blocksSeen });
  const [oldest, newest] = [commits[0], commits.at(-1)];
  const intervalMs =
    oldest === undefined || newest === undefined || commits.length < 2
      ? null
      : (newest.timestampMs - oldest.timestampMs) / (commits.length - 1);
  const lastSigned =
    subject === null
      ? null
      : (commits.findLast(({ signers }) => signers.includes(subject.address))?.blockNumber ?? null);
  const facts: BehindFacts = {
    moniker: subject?.moniker ?? null,
    head: subject === null ? head : subject.head,
    waitsFor: status.waitsFor,
    network,
    intervalMs,
    lastSigned,
    gain: null,
  };
  const isBehind = subject === null && explainBehind(facts).tone !== 'good' && newestHead(network) > head;
  const measured = isBehind ? { ...facts, gain: await gainOf(connection, head, network) } : facts;
  return {
    explanation: explainBehind(measured),
    figures: [
      ['asked', connection.urls.join(', ')],
      ['its head', formatInteger(head)],
      ['waits for', status.waitsFor],
      ['a block each', intervalMs === null ? 'not known yet' : formatDuration(intervalMs)],
      ...network.validators.map(
        ({ moniker, head: told, isPresent }) =>
          [
            moniker,
            `${told === null ? 'tells no block' : `block ${formatInteger(told)}`}${isPresent ? '' : ', away'}`,
          ] as const,
      ),
    ],
    facts: measured,
  };
}

const newestHead = ({ validators, others }: NetworkNodes): bigint =>
  [...validators, ...others].reduce((most, { head }) => (head !== null && head > most ? head : most), 0n);

/** Blocks a second by which the node got nearer to the others. */
async function gainOf({ client }: Connection, head: bigint, before: NetworkNodes): Promise<number> {
  const beganMs = performance.now();
  await sleep(lookMs);
  const [later, after] = await Promise.all([client.getBlockNumber(), client.getNetwork()]);
  const nearer = later - head - (newestHead(after) - newestHead(before));
  return Number(nearer) / ((performance.now() - beganMs) / 1_000);
}
