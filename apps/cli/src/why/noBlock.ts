import type { VotesStanding } from '@prime/sdk';
import { explainNoBlock, formatDuration, formatInteger, listNames } from '@prime/sdk/explain';
import type { Connection } from '../client/connect.ts';
import type { Answer } from './tell.ts';

/** Where genesis does not say it, ms. */
const intervalMsDefault = 10_000;

/** Longest wait between blocks while nothing happens, ms. */
async function emptyIntervalMs({ client }: Connection): Promise<number> {
  const interval = (await client.getGenesis()).consensus['emptyBlockIntervalMs'];
  return typeof interval === 'number' ? interval : intervalMsDefault;
}

/** Why there is no block, as the asked node sees it. */
export async function whyNoBlock(connection: Connection): Promise<Answer> {
  const { client } = connection;
  const [status, validators, network, head, intervalMs] = await Promise.all([
    client.getConsensusStatus(),
    client.getValidators(),
    client.getNetwork(),
    client.getNativeBlock({ block: 'latest' }),
    emptyIntervalMs(connection),
  ]);
  const absent = network.validators.filter(({ isPresent }) => !isPresent).map(({ address }) => address);
  const facts = { status, validators, headMs: head?.timestampMs ?? 0, intervalMs, absent };
  const explanation = explainNoBlock(facts);
  const nameOf = (address: string): string =>
    validators.find((validator) => validator.address === address)?.moniker ?? address;
  const votes = ({ block, nil, missing, votingPower }: VotesStanding): string =>
    `${formatInteger(votingPower)} of ${formatInteger(status.totalPower)} power; block: ${listNames(block.map(nameOf))}; none: ${listNames(nil.map(nameOf))}; missing: ${listNames(missing.map(nameOf))}`;
  const round = status.currentRound;
  return {
    explanation,
    figures: [
      ['asked', connection.urls.join(', ')],
      [
        'newest block',
        `${formatInteger(head?.number ?? 0n)}, ${formatDuration(status.nowMs - (head?.timestampMs ?? 0))} old`,
      ],
      [
        'deciding',
        `block ${formatInteger(status.height)}, ${round === null ? 'no round yet' : `round ${round.round}, turn of ${nameOf(round.proposer)}`}`,
      ],
      [
        'waits for',
        `${status.waitsFor}${status.sinceMs === null ? '' : ` since ${formatDuration(status.nowMs - status.sinceMs)}`}`,
      ],
      ...(round === null
        ? []
        : [['prevotes', votes(round.prevotes)] as const, ['precommits', votes(round.precommits)] as const]),
    ],
    facts: { ...facts, headNumber: head?.number ?? 0n },
  };
}
